/* assets.h -- the page of `meniscus view`, built into the program from view/dist (see view/README.md). */
#ifndef MN_VIEW_ASSETS_H
#define MN_VIEW_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mn_asset {
    const char *path, *type;
    const unsigned char *data;
    size_t size;
    bool open; /* given without a token: it holds nothing of the run */
} mn_asset;

const mn_asset *mn_asset_find(const char *path); /* NULL: none */

#endif
