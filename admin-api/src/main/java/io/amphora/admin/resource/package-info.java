/** One class per resource of the REST API; admin-api's {@code openapi.yaml} is their contract. */
@NullMarked
package io.amphora.admin.resource;

import org.jspecify.annotations.NullMarked;
