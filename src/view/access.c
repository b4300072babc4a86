/* access.c -- who may ask: see view.h, invariant 3. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "view/hub.h"

bool mn_access_loopback(const char *address)
{
    return !address || strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 ||
           strcmp(address, "[::1]") == 0 || strcmp(address, "localhost") == 0;
}

/* A name of this machine with any port: a tunnel may have another one. A page that gave its own name this address
 * (DNS rebinding) has that name in Host. */
bool mn_access_host(const char *host, bool loopback)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    if (!host || !*host) return false;
    if (!loopback) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) != 0) continue;
        const char *rest = host + length;
        if (!*rest) return true;
        if (*rest == ':' && rest[1] && rest[1 + strspn(rest + 1, "0123456789")] == 0) return true;
    }
    return false;
}

/* Browsers name the page that asks; it has to be ours. */
bool mn_access_origin(const char *origin, const char *host)
{
    if (!origin) return true;
    if (!host) return false;
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < 2; i++)
        if (strncasecmp(origin, schemes[i], strlen(schemes[i])) == 0)
            return strcasecmp(origin + strlen(schemes[i]), host) == 0;
    return false;
}

/* In the same time whatever is wrong with it. */
bool mn_access_token(const char *given, const char *expected)
{
    if (!expected) return true;
    if (!given) return false;
    const size_t length = strlen(expected), other = strlen(given);
    unsigned different = length != other;
    for (size_t i = 0; i < length; i++)
        different |= (unsigned char)expected[i] ^ (unsigned char)given[other ? i % other : 0];
    return different == 0;
}
