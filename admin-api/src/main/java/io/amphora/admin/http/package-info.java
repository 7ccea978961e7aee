/** HTTP as the resources see it: routes, requests, answers, errors, access. */
@NullMarked
package io.amphora.admin.http;

import org.jspecify.annotations.NullMarked;
