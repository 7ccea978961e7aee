/*
 * What an application on Proton C++ expects of a broker. Compiled and run by ProtonCppIT:
 *
 *   interop checks HOST:PORT HOST:PORT-OF-A-BROKER-WITHOUT-AUTO-CREATE
 *   interop reconnect HOST:PORT ADDRESS COUNT
 *
 * Prints one line for each check and exits 1 when one fails.
 */
#include <proton/annotation_key.hpp>
#include <proton/connection.hpp>
#include <proton/connection_options.hpp>
#include <proton/container.hpp>
#include <proton/delivery.hpp>
#include <proton/delivery_mode.hpp>
#include <proton/error_condition.hpp>
#include <proton/message.hpp>
#include <proton/message_id.hpp>
#include <proton/messaging_handler.hpp>
#include <proton/receiver.hpp>
#include <proton/receiver_options.hpp>
#include <proton/reconnect_options.hpp>
#include <proton/sender.hpp>
#include <proton/sender_options.hpp>
#include <proton/source_options.hpp>
#include <proton/tracker.hpp>
#include <proton/transport.hpp>
#include <proton/value.hpp>
#include <proton/work_queue.hpp>

#include <unistd.h>

#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::string url;
std::string strict_url;
const proton::annotation_key MINE{proton::symbol("x-opt-mine")};
const proton::annotation_key OFFSET{proton::symbol("x-opt-offset")};

std::string fresh(const std::string& name) {
    static int count = 0;
    return "cpp-" + name + "-" + std::to_string(getpid()) + "-" + std::to_string(count++);
}

void expect(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
}

/** One check: ends its connection when it is content; an error or the time-out fails it. */
struct Check : proton::messaging_handler {
    std::string target, failure;
    proton::connection connection;
    bool done = false;

    explicit Check(std::string to = url) : target(std::move(to)) {}

    void on_container_start(proton::container& c) override {
        connection = c.connect("amqp://" + target);
        c.schedule(proton::duration(20000), [this]() { if (!done) fail("no end within 20 s"); });
    }
    void finish() {
        done = true;
        connection.container().stop();
    }
    void fail(const std::string& why) {
        if (failure.empty()) failure = why;
        finish();
    }
    void on_error(const proton::error_condition& e) override { fail(e.what()); }
    void on_transport_error(proton::transport& t) override { fail(t.error().what()); }
    void on_message(proton::delivery& d, proton::message& m) override {
        try {
            message(d, m);
        } catch (const std::exception& e) {
            fail(e.what());
        }
    }
    virtual void message(proton::delivery&, proton::message&) {}
};

/** Sends some messages, and opens a receiver when all of them are accepted. */
struct RoundTrip : Check {
    std::string address;
    std::vector<proton::message> out;
    proton::sender sender;
    proton::receiver receiver;
    size_t accepted = 0;

    RoundTrip(const std::string& name, int count) : address(fresh(name)) {
        for (int i = 0; i < count; i++) out.emplace_back(proton::value(i));
    }
    void on_connection_open(proton::connection& c) override { sender = c.open_sender(address); }
    void on_sender_open(proton::sender& s) override {
        for (auto& m : out) s.send(m);
    }
    void on_tracker_accept(proton::tracker&) override {
        if (++accepted == out.size()) open();
    }
    void on_tracker_reject(proton::tracker&) override { fail("a message was rejected"); }
    virtual void open() { receiver = connection.open_receiver(address, options()); }
    virtual proton::receiver_options options() {
        return proton::receiver_options().credit_window(1).auto_accept(false);
    }
};

struct Order : RoundTrip {
    int next = 0;
    Order() : RoundTrip("order", 50) {}
    void message(proton::delivery& d, proton::message& m) override {
        expect(proton::get<int>(m.body()) == next, "out of order");
        d.accept();
        if (++next == 50) finish();
    }
};

struct Properties : RoundTrip {
    Properties() : RoundTrip("properties", 1) {
        proton::message& m = out[0];
        m.body(std::string(3000, 'x'));
        m.id(proton::message_id(uint64_t(1) << 63));
        m.correlation_id(proton::message_id("text"));
        m.subject("subject");
        m.priority(7);
        m.durable(true);
        m.properties().put("n", 42);
        m.message_annotations().put(MINE, "a");
    }
    void message(proton::delivery& d, proton::message& m) override {
        expect(proton::get<uint64_t>(m.id()) == uint64_t(1) << 63, "message-id");
        expect(proton::get<std::string>(m.correlation_id()) == "text", "correlation-id");
        expect(m.subject() == "subject" && m.priority() == 7 && m.durable(), "header");
        expect(proton::get<int>(m.properties().get("n")) == 42, "property");
        expect(proton::get<std::string>(m.message_annotations().get(MINE)) == "a", "annotation");
        expect(m.message_annotations().exists(OFFSET), "offset");
        expect(proton::get<std::string>(m.body()).size() == 3000, "body");
        d.accept();
        finish();
    }
};

struct Large : RoundTrip {
    std::string body;
    Large() : RoundTrip("large", 1), body(10 << 20, '\0') {
        for (size_t i = 0; i < body.size(); i++) body[i] = char(i * 31 % 251);
        out[0].body(proton::binary(body));
    }
    void message(proton::delivery& d, proton::message& m) override {
        proton::binary got = proton::get<proton::binary>(m.body());
        expect(std::string(got.begin(), got.end()) == body, "10 MiB");
        d.accept();
        finish();
    }
};

struct Release : RoundTrip {
    int seen = 0;
    Release() : RoundTrip("release", 1) {}
    void message(proton::delivery& d, proton::message& m) override {
        expect(m.delivery_count() == 0, "counted");
        if (++seen < 5) return d.release();
        d.accept();
        finish();
    }
};

struct Modify : RoundTrip {
    unsigned seen = 0;
    Modify() : RoundTrip("modify", 1) {}
    void message(proton::delivery& d, proton::message& m) override {
        // Proton C++ says modified without delivery-failed: it is back, and not counted.
        expect(m.delivery_count() == 0, "counted");
        if (++seen < 3) return d.modify();
        d.accept();
        finish();
    }
};

struct Reject : RoundTrip {
    int seen = 0;
    Reject() : RoundTrip("reject", 2) {}
    void message(proton::delivery& d, proton::message& m) override {
        expect(proton::get<int>(m.body()) == seen, "the rejected one came again");
        if (++seen == 1) return d.reject();
        d.accept();
        finish();
    }
};

struct Settled : RoundTrip {
    int seen = 0;
    Settled() : RoundTrip("settled", 3) {}
    void on_connection_open(proton::connection& c) override {
        c.open_sender(address, proton::sender_options().delivery_mode(proton::delivery_mode::AT_MOST_ONCE));
        open();
    }
    proton::receiver_options options() override {
        return proton::receiver_options().credit_window(10).delivery_mode(proton::delivery_mode::AT_MOST_ONCE);
    }
    void message(proton::delivery& d, proton::message&) override {
        expect(d.settled(), "not settled");
        if (++seen == 3) finish();
    }
};

/** Drain without messages and with more credit than messages. */
struct Drain : RoundTrip {
    int seen = 0, drained = 0;
    Drain() : RoundTrip("drain", 4) {}
    void on_connection_open(proton::connection& c) override {
        receiver = c.open_receiver(address, proton::receiver_options().credit_window(0));
        receiver.add_credit(10);
        receiver.drain();
    }
    void on_receiver_drain_finish(proton::receiver& r) override {
        if (++drained == 1) {
            expect(seen == 0, "nothing was there");
            sender = connection.open_sender(address);
        } else {
            expect(seen == 4, "drained before all came");
            r.close();
            finish();
        }
    }
    void open() override {
        receiver.add_credit(10);
        receiver.drain();
    }
    void message(proton::delivery& d, proton::message&) override {
        d.accept();
        seen++;
    }
};

struct Browse : RoundTrip {
    int seen = 0;
    bool browsing = true;
    Browse() : RoundTrip("browse", 3) {}
    proton::receiver_options options() override {
        proton::source_options source;
        source.distribution_mode(browsing ? proton::source::COPY : proton::source::MOVE);
        return proton::receiver_options().credit_window(10).auto_accept(false).source(source);
    }
    void message(proton::delivery& d, proton::message& m) override {
        expect(proton::get<int>(m.body()) == seen % 3, "out of order");
        d.accept();
        if (++seen == 3) {
            browsing = false;
            receiver.close();
            open();
        } else if (seen == 6) {
            finish();
        }
    }
};

/** Request and answer over a dynamic node, by an anonymous sender. */
struct Request : Check {
    std::string address = fresh("request");
    proton::receiver replies, requests;
    proton::sender anonymous;
    Request() = default;
    void on_connection_open(proton::connection& c) override {
        proton::source_options dynamic;
        dynamic.dynamic(true);
        replies = c.open_receiver("", proton::receiver_options().source(dynamic));
        requests = c.open_receiver(address);
        anonymous = c.open_sender("");
    }
    void on_receiver_open(proton::receiver& r) override {
        if (r != replies) return;
        expect(!r.source().address().empty(), "no address");
        proton::message m("question");
        m.to(address);
        m.reply_to(r.source().address());
        m.id("q1");
        anonymous.send(m);
    }
    void message(proton::delivery&, proton::message& m) override {
        if (m.reply_to().empty()) {
            expect(proton::get<std::string>(m.body()) == "answer", "not the answer");
            expect(proton::get<std::string>(m.correlation_id()) == "q1", "correlation-id");
            return finish();
        }
        proton::message answer("answer");
        answer.to(m.reply_to());
        answer.correlation_id(m.id());
        anonymous.send(answer);
    }
};

struct Unknown : Check {
    int refused = 0;
    Unknown() : Check(strict_url) {}
    void on_connection_open(proton::connection& c) override {
        c.open_sender(fresh("unknown"));
        c.open_receiver(fresh("unknown"));
    }
    void refuse(const proton::error_condition& e) {
        if (e.name() != "amqp:not-found") return fail(e.what());
        if (++refused == 2) finish();
    }
    void on_sender_error(proton::sender& s) override { refuse(s.error()); }
    void on_receiver_error(proton::receiver& r) override { refuse(r.error()); }
};

/** Numbers, each sent until it is accepted, through a restart of the broker. */
struct Reconnect : proton::messaging_handler {
    std::string address;
    int count, next = 0;
    bool waiting = false, restarted = false;
    proton::sender sender;

    Reconnect(std::string to, int many) : address(std::move(to)), count(many) {}
    void on_container_start(proton::container& c) override {
        proton::reconnect_options often;
        often.delay(proton::duration(100)).delay_multiplier(1);
        proton::connection_options options;
        c.connect("amqp://" + url, options.reconnect(often));
    }
    void send() {
        if (waiting || !sender.credit() || (next >= count / 2 && !restarted)) return;
        waiting = true;
        sender.send(proton::message(proton::value(next)));
    }
    void on_connection_open(proton::connection& c) override {
        if (c.reconnected()) {
            restarted = true;
        } else {
            c.open_sender(address);
        }
    }
    void on_transport_error(proton::transport&) override { waiting = false; }
    void on_sendable(proton::sender& s) override {
        sender = s;
        if (restarted) waiting = false;
        send();
    }
    void on_tracker_accept(proton::tracker& t) override {
        waiting = false;
        if (++next == count / 2) std::cout << "half" << std::endl;
        if (next == count) {
            t.connection().close();
        } else {
            send();
        }
    }
};

int checks() {
    int failed = 0;
    auto run = [&failed](const std::string& name, Check& check) {
        proton::container(check).run();
        if (check.failure.empty()) {
            std::cout << "ok   " << name << std::endl;
        } else {
            failed++;
            std::cout << "FAIL " << name << ": " << check.failure << std::endl;
        }
    };
    Order order; run("credit_one_keeps_order", order);
    Properties properties; run("properties_and_annotations", properties);
    Large large; run("ten_mebibytes", large);
    Release release; run("release_returns_uncounted", release);
    Modify modify; run("modified_comes_again", modify);
    Reject reject; run("reject_does_not_come_back", reject);
    Settled settled; run("pre_settled_both_ways", settled);
    Drain drain; run("drain_with_and_without_messages", drain);
    Browse browse; run("browsing_takes_nothing", browse);
    Request request; run("dynamic_nodes_carry_answers_by_an_anonymous_sender", request);
    Unknown unknown; run("unknown_address_is_refused", unknown);
    std::cout << 11 << " checks, " << failed << " failed" << std::endl;
    return failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::string mode = argc > 3 ? argv[1] : "";
    if (mode == "checks") {
        url = argv[2];
        strict_url = argv[3];
        return checks();
    }
    if (mode == "reconnect" && argc > 4) {
        url = argv[2];
        Reconnect handler(argv[3], std::stoi(argv[4]));
        proton::container(handler).run();
        return handler.next == handler.count ? 0 : 1;
    }
    std::cerr << "usage: interop checks URL STRICT_URL | reconnect URL ADDRESS COUNT" << std::endl;
    return 2;
}
