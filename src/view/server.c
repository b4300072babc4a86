/* server.c -- HTTP and WebSocket by civetweb: the only place that knows it besides client.c. Pages and pictures come
 * from the program's own memory; no path of a request ever reaches a file system. */
#include <civetweb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "view/assets.h"
#include "view/hub.h"

struct mn_listener {
    struct mg_context *context;
};

static bool is_loopback(const mn_hub *hub) { return mn_access_loopback(hub->opt->address); }

/* ------------------------------------------------------------------------------------------------------- access */

static bool has_token(const mn_hub *hub, const struct mg_request_info *info)
{
    char token[128];
    const char *query = info->query_string;
    if (!hub->opt->token) return true;
    if (!query || mg_get_var(query, strlen(query), "token", token, sizeof token) < 0) return false;
    return mn_access_token(token, hub->opt->token);
}

/* NULL: it may. Else why not. */
static const char *refusal(const mn_hub *hub, const struct mg_connection *connection, bool open_to_all)
{
    const char *host = mg_get_header(connection, "Host"), *origin = mg_get_header(connection, "Origin");
    if (!mn_access_host(host, is_loopback(hub))) return "this name is not one of this machine; use localhost";
    if (!mn_access_origin(origin, host)) return "requests from pages of another origin are refused";
    if (!open_to_all && !has_token(hub, mg_get_request_info(connection)))
        return "the token is missing or wrong; use the address that meniscus view printed";
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------- answers */

static const char SAFE[] =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
    "data: blob:; media-src blob:; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action "
    "'none'\r\n"
    "Cache-Control: no-store\r\n";

static int answer(struct mg_connection *connection, int code, const char *type, const void *data, size_t size)
{
    const char *words = code == 200   ? "OK"
                        : code == 403 ? "Forbidden"
                        : code == 405 ? "Method Not Allowed"
                                      : "Not Found";
    mg_printf(connection, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n%s\r\n",
              code, words, type, size, SAFE);
    if (size && strcmp(mg_get_request_info(connection)->request_method, "HEAD") != 0) mg_write(connection, data, size);
    return code;
}

static int say_no(struct mg_connection *connection, int code, const char *why)
{
    return answer(connection, code, "text/plain; charset=utf-8", why, strlen(why));
}

static int send_geometry(mn_hub *hub, struct mg_connection *connection)
{
    mn_show *show = mn_hub_hold(hub);
    pthread_mutex_lock(&hub->lock);
    const bool there = show->description != NULL;
    pthread_mutex_unlock(&hub->lock);
    const int code = there && show->geometry
                         ? answer(connection, 200, "application/octet-stream", show->geometry, show->geometry_size)
                         : say_no(connection, 404, "there is nothing yet");
    mn_hub_let_go(show);
    return code;
}

static int serve(struct mg_connection *connection, void *user)
{
    mn_hub *hub = user;
    const struct mg_request_info *info = mg_get_request_info(connection);
    const char *path = info->local_uri ? info->local_uri : "/";
    const mn_asset *asset = mn_asset_find(strcmp(path, "/") == 0 ? "/index.html" : path);
    const char *why = refusal(hub, connection, asset && asset->open);
    if (why) return say_no(connection, 403, why);
    if (strcmp(info->request_method, "GET") != 0 && strcmp(info->request_method, "HEAD") != 0)
        return say_no(connection, 405, "only GET is answered");
    if (asset) return answer(connection, 200, asset->type, asset->data, asset->size);
    if (strcmp(path, "/geometry") == 0) return send_geometry(hub, connection);
    return say_no(connection, 404, "there is no such page");
}

/* ---------------------------------------------------------------------------------------------------- WebSocket */

static int connect(const struct mg_connection *connection, void *user)
{
    return refusal(user, connection, false) || !mn_client_room(user) ? 1 : 0; /* 1: refused */
}

static void ready(struct mg_connection *connection, void *user)
{
    static const char full[] = "\x03\xf5"
                               "too many viewers"; /* 1013: try again later */
    if (!mn_client_open(user, connection))
        mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, full, sizeof full - 1);
}

/* 0 closes the connection. Messages are short and in one piece; others do not come from our page. */
static int hear(struct mg_connection *connection, int bits, char *data, size_t length, void *user)
{
    static const char wrong[] = "\x03\xea"
                                "malformed message",
                      large[] = "\x03\xf1"
                                "message too large"; /* 1002, 1009 */
    const int kind = bits & 0x0f;
    if (!mn_client_served(user, connection)) return 0;
    if (kind == MG_WEBSOCKET_OPCODE_PONG) return 1;
    if (kind == MG_WEBSOCKET_OPCODE_PING) {
        mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_PONG, data, length);
        return 1;
    }
    if (kind == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE) return 0;
    if (length > MN_VIEW_MESSAGE) {
        mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, large, sizeof large - 1);
        return 0;
    }
    if (kind == MG_WEBSOCKET_OPCODE_TEXT && (bits & 0x80) && mn_client_hear(user, connection, data, length)) return 1;
    mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, wrong, sizeof wrong - 1);
    return 0;
}

static void gone(const struct mg_connection *connection, void *user) { mn_client_close(user, connection); }

/* --------------------------------------------------------------------------------------------------- listening */

static bool is_v6(const char *address) { return strchr(address, ':') != NULL; }

mn_listener *mn_listen(mn_hub *hub, char url[256], mn_messages *say)
{
    const mn_view_options *opt = hub->opt;
    const char *address = opt->address ? opt->address : "127.0.0.1";
    char place[128], bare[100];
    snprintf(bare, sizeof bare, "%s", address[0] == '[' ? address + 1 : address);
    bare[strcspn(bare, "]")] = 0;
    snprintf(place, sizeof place, is_v6(bare) ? "[%s]:%d" : "%s:%d",
             strcmp(bare, "localhost") == 0 ? "127.0.0.1" : bare, opt->port);
    if (!is_loopback(hub) && !opt->token) {
        mn_say_error(say, MN_NOWHERE, "the address %s is open to other machines and needs a token", address);
        return NULL;
    }
    const char *settings[] = {
        "listening_ports", place, "num_threads", "40", "request_timeout_ms", "10000",
        /* who says nothing for 10 s is asked whether it is there; after seven times its place is free */
        "websocket_timeout_ms", "10000", "enable_websocket_ping_pong", "yes", "tcp_nodelay", "1",
        "enable_directory_listing", "no", "max_request_size", "8192", NULL};
    struct mg_callbacks callbacks = {0};
    mn_listener *listener = calloc(1, sizeof *listener);
    mg_init_library(0);
    if (listener) listener->context = mg_start(&callbacks, hub, settings);
    struct mg_server_port ports[1];
    if (!listener || !listener->context || mg_get_server_ports(listener->context, 1, ports) != 1) {
        mn_say_error(say, MN_NOWHERE,
                     "cannot listen at %s; expected an address of this machine and a port that is free", place);
        if (listener && listener->context) mg_stop(listener->context);
        free(listener);
        return NULL;
    }
    mg_set_request_handler(listener->context, "**", serve, hub);
    mg_set_websocket_handler(listener->context, "/ws", connect, ready, hear, gone, hub);
    const char *shown = is_loopback(hub) && !is_v6(bare) ? "localhost" : bare;
    snprintf(url, 256, is_v6(shown) ? "http://[%s]:%d/%s%s" : "http://%s:%d/%s%s", shown, ports[0].port,
             opt->token ? "?token=" : "", opt->token ? opt->token : "");
    return listener;
}

void mn_listener_close(mn_listener *listener)
{
    mg_stop(listener->context);
    mg_exit_library();
    free(listener);
}
