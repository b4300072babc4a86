/* png.c -- 8-bit RGB to PNG through libpng, written whole or not at all. Fast rather than small: level 1, one
 * filter. */
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/file.h"
#include "io/picture.h"

static void put(png_structp png, png_bytep bytes, size_t size) { mn_file_put(png_get_io_ptr(png), bytes, size); }
static void flush(png_structp png) { (void)png; }
static void quiet(png_structp png, png_const_charp text) { (void)png, (void)text; }
static void fail(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

/* Only what cannot change between setjmp and longjmp is used after the jump. */
static bool encode(png_structp png, png_infop info, const unsigned char *rgb, int width, int height)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_compression_level(png, 1);
    png_set_compression_strategy(png, Z_RLE);
    png_set_filter(png, 0, PNG_FILTER_SUB);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) png_write_row(png, rgb + (size_t)y * (size_t)width * 3);
    png_write_end(png, info);
    return true;
}

mn_status mn_png_write(const char *path, const unsigned char *rgb, int width, int height, mn_messages *say)
{
    mn_file *file = mn_file_begin(path, say);
    if (!file) return MN_FAILED;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, quiet);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool done = false;
    if (info) {
        png_set_write_fn(png, file, put, flush);
        done = encode(png, info, rgb, width, height);
    }
    if (png) png_destroy_write_struct(&png, &info);
    if (done) return mn_file_commit(file, say);
    mn_say_failure(say, (mn_place){path, 0, 0}, "cannot encode the picture: out of memory");
    mn_file_abandon(file);
    return MN_FAILED;
}

bool mn_png_size(const char *path, int *width, int *height)
{
    static const unsigned char begin[16] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                            0,    0,   0,   13,  'I',  'H',  'D',  'R'},
                               end[8] = {0, 0, 0, 0, 'I', 'E', 'N', 'D'};
    struct stat info;
    FILE *in = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    unsigned char head[24], tail[12];
    bool whole = in && fread(head, 1, sizeof head, in) == sizeof head && fseek(in, -(long)sizeof tail, SEEK_END) == 0 &&
                 fread(tail, 1, sizeof tail, in) == sizeof tail;
    whole = whole && memcmp(head, begin, sizeof begin) == 0 && memcmp(tail, end, sizeof end) == 0;
    if (in) fclose(in);
    int size[2] = {0};
    for (int k = 0; k < 8 && whole; k++) size[k / 4] = (size[k / 4] & 0x7fffff) << 8 | head[16 + k];
    *width = size[0], *height = size[1];
    return whole;
}
