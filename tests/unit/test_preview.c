/* Pictures: what is seen where, that threads do not change a pixel, and that odd input does no harm. */
#include "io_help.h"

#include <math.h>
#include <omp.h>
#include <png.h>
#include <time.h>

#include "sanitized.h"
#include "io/preview.h"

enum { WIDTH = 320, HEIGHT = 180 };
static int as_water; /* the state of tests that run once for each look */
static const mn_view FRONT = {{0, 0, 10}, {0, 0, 0}, {0, 1, 0}, 30, 0};

typedef struct pixel {
    int r, g, b;
} pixel;

static unsigned char *read_picture(const char *path, int *width, int *height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    unsigned char *rgb = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    *width = (int)image.width;
    *height = (int)image.height;
    return rgb;
}

static unsigned char *draw(const mn_preview *preview)
{
    int width, height;
    assert_int_equal(mn_preview_write(in_folder("picture.png"), preview, say), MN_OK);
    assert_int_equal(mn_messages_count(say), 0);
    unsigned char *rgb = read_picture(in_folder("picture.png"), &width, &height);
    assert_int_equal(width, preview->width);
    assert_int_equal(height, preview->height);
    return rgb;
}

static pixel at(const unsigned char *rgb, int x, int y)
{
    const unsigned char *p = rgb + 3 * (y * WIDTH + x);
    return (pixel){p[0], p[1], p[2]};
}

static bool is_background(pixel p) { return p.r > 160 && p.b - p.r < 30; }
static bool is_water(pixel p) { return p.b > p.r + 40; }

static void spheres_are_where_they_should_be(void **state)
{
    (void)state;
    float positions[] = {0, 0, 0, 2, 1, 0, NAN, 0, 0, 0, INFINITY, 0};
    mn_preview preview = {
        .width = WIDTH, .height = HEIGHT, .count = 4, .positions = positions, .radius = 0.4f, .view = &FRONT};
    unsigned char *rgb = draw(&preview);
    double focal = 0.5 * HEIGHT / tan(15 * M_PI / 180); /* pixels at distance 1 */
    int x = (int)(WIDTH / 2 + focal * 2 / 10), y = (int)(HEIGHT / 2 - focal * 1 / 10), r = (int)(focal * 0.4 / 10);
    assert_true(is_water(at(rgb, WIDTH / 2, HEIGHT / 2)));
    assert_true(is_water(at(rgb, x, y)));
    assert_true(is_water(at(rgb, x + r - 2, y)));
    assert_true(is_background(at(rgb, x + r + 2, y)));
    assert_true(is_background(at(rgb, x, HEIGHT - y)));
    /* the light is at the upper left */
    pixel lit = at(rgb, x - r / 2, y - r / 2), dark = at(rgb, x + r / 2, y + r / 2);
    assert_true(lit.g > dark.g + 20);
    free(rgb);
}

static void near_hides_far(void **state)
{
    (void)state;
    float positions[] = {0, 0, -1, 0, 0, 1, 0, 0, -2}, values[] = {0, 1, 0};
    mn_preview preview = {.width = WIDTH,
                          .height = HEIGHT,
                          .count = 3,
                          .positions = positions,
                          .radius = 0.3f,
                          .values = values,
                          .low = 0,
                          .high = 1,
                          .view = &FRONT};
    unsigned char *rgb = draw(&preview);
    assert_true(at(rgb, WIDTH / 2, HEIGHT / 2).r > 150); /* foam in front of deep water */
    free(rgb);
    values[1] = 0, values[0] = values[2] = 1;
    rgb = draw(&preview);
    assert_true(at(rgb, WIDTH / 2, HEIGHT / 2).r < 100);
    free(rgb);
}

/* A slab before a wall: what stands behind shows through where the liquid is thin, and less where it is thick;
 * nothing behind a wall is seen. */
static void water_is_clear(void **state)
{
    (void)state;
    enum { ACROSS = 20 };
    const float d = 0.1f;
    const int layers[] = {1, 16};
    pixel seen[2];
    for (int k = 0; k < 2; k++) {
        const long count = (long)ACROSS * ACROSS * layers[k];
        float *positions = malloc((size_t)count * 3 * sizeof *positions);
        for (long i = 0; i < count; i++) {
            positions[3 * i] = d * ((float)(i % ACROSS) - 9.5f),
                          positions[3 * i + 1] = d * ((float)(i / ACROSS % ACROSS) - 9.5f);
            positions[3 * i + 2] = -d * (float)(i / (ACROSS * ACROSS));
        }
        mn_preview preview = {.width = WIDTH,
                              .height = HEIGHT,
                              .count = count,
                              .positions = positions,
                              .radius = 0.55f * d,
                              .water = true,
                              .view = &FRONT};
        unsigned char *rgb = draw(&preview);
        seen[k] = at(rgb, WIDTH / 2 + 7, HEIGHT / 2 + 5);
        assert_true(is_background(at(rgb, 20, 20)));
        free(rgb);
        float wall[3 * 400];
        for (int i = 0; i < 400; i++)
            wall[3 * i] = d * ((float)(i % ACROSS) - 9.5f), wall[3 * i + 1] = d * ((float)(i / ACROSS) - 9.5f),
                     wall[3 * i + 2] = 3;
        preview.walls = wall, preview.wall_count = 400;
        rgb = draw(&preview);
        assert_false(is_water(at(rgb, WIDTH / 2 + 7, HEIGHT / 2 + 5)));
        free(rgb);
        free(positions);
    }
    assert_true(is_water(seen[1]));
    assert_true(seen[0].r > seen[1].r + 60);
    assert_true(seen[0].b >= seen[0].r); /* red is lost first */
}

static void threads_do_not_matter(void **state)
{
    enum { COUNT = 20000 };
    float *positions = malloc(3 * COUNT * sizeof *positions), *values = malloc(COUNT * sizeof *values);
    uint32_t seed = 1;
    for (int i = 0; i < 3 * COUNT; i++) positions[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
    for (int i = 0; i < COUNT; i++) values[i] = positions[3 * i];
    mn_preview preview = {.width = WIDTH,
                          .height = HEIGHT,
                          .count = COUNT,
                          .positions = positions,
                          .radius = 0.02f,
                          .values = values,
                          .water = *state != NULL,
                          .title = "Threads: {1, 2, 3} ~",
                          .label = "x [m]"};
    int before = omp_get_max_threads();
    unsigned char *first = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        unsigned char *rgb = draw(&preview);
        if (first) assert_memory_equal(first, rgb, 3 * WIDTH * HEIGHT);
        if (first) free(rgb);
        else first = rgb;
    }
    omp_set_num_threads(before);
    free(first);
    free(positions);
    free(values);
}

static void far_walls_are_drawn_and_near_ones_left_out(void **state)
{
    (void)state;
    enum { SIDE = 41 };
    static float walls[2 * SIDE * SIDE * 3];
    float fluid[] = {0, 0, 0, 0.9f, 0.9f, 0.9f, -0.9f, -0.9f, -0.9f};
    for (int i = 0, k = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            for (int side = -1; side <= 1; side += 2, k += 3)
                walls[k] = 0.05f * (float)(i - 20), walls[k + 1] = 0.05f * (float)(j - 20), walls[k + 2] = (float)side;
    mn_preview preview = {.width = WIDTH,
                          .height = HEIGHT,
                          .count = 3,
                          .positions = fluid,
                          .radius = 0.2f,
                          .view = &FRONT,
                          .wall_count = 2 * SIDE * SIDE,
                          .walls = walls};
    unsigned char *with = draw(&preview);
    preview.wall_count = 0;
    unsigned char *without = draw(&preview);
    int centre = 3 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
    assert_true(abs(with[centre] - without[centre]) < 12); /* the front face, nearer than the fluid, hides nothing */
    int changed = 0;
    for (int k = 0; k < 3 * WIDTH * HEIGHT; k++) changed += with[k] != without[k];
    assert_true(changed > 1000); /* the back face is there */
    free(with);
    free(without);
}

static void automatic_view_shows_the_whole_box(void **state)
{
    (void)state;
    const double boxes[][6] = {
        {0, 0, 0, 1, 1, 1}, {-5, 0, -0.1, 5, 1, 0.1}, {0, 0, 0, 0.1, 2, 9}, {100, 100, 100, 100.01, 101, 100.01}};
    const double ups[][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, -3, 0.2}};
    for (int b = 0; b < 4; b++)
        for (int u = 0; u < 4; u++) {
            const double *low = boxes[b], *high = boxes[b] + 3;
            float corners[24];
            for (int k = 0; k < 24; k++) corners[k] = (float)(k / 3 >> k % 3 & 1 ? high[k % 3] : low[k % 3]);
            mn_view view = mn_view_auto(low, high, ups[u], (double)WIDTH / HEIGHT);
            mn_preview preview = {
                .width = WIDTH, .height = HEIGHT, .count = 8, .positions = corners, .radius = 0.001f, .view = &view};
            unsigned char *rgb = draw(&preview);
            int left = WIDTH, right = 0, top = HEIGHT, bottom = 0, seen = 0;
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++)
                    if (at(rgb, x, y).r + 8 < at(rgb, 0, y).r) {
                        seen++;
                        left = x < left ? x : left, right = x > right ? x : right;
                        top = y < top ? y : top, bottom = y > bottom ? y : bottom;
                    }
            assert_true(seen >= 8);
            assert_true(left > 1 && right < WIDTH - 2 && top > 1 && bottom < HEIGHT - 2);
            /* and fills the picture along one axis */
            assert_true(right - left > WIDTH * 7 / 10 || bottom - top > HEIGHT * 7 / 10);
            free(rgb);
        }
}

static void assert_range(const float *values, long count, double low, double high)
{
    double l, h;
    mn_preview_range(values, count, &l, &h);
    assert_true(fabs(l - low) < 1e-6 && fabs(h - high) < 1e-6);
}

static void ranges_are_round(void **state)
{
    (void)state;
    assert_range((float[]){0.01f, 2.3f, 1}, 3, 0, 2.5);
    assert_range((float[]){-1.1f, 3.9f}, 2, -1.6, 4);
    assert_range((float[]){998, 1002}, 2, 998, 1002);
    assert_range((float[]){0, 0, 0}, 3, 0, 1);
    assert_range((float[]){5}, 1, 0, 5);
    assert_range((float[]){NAN, INFINITY, 0.5f, 0}, 4, 0, 0.5);
    assert_range(NULL, 0, 0, 1);
    float spray[1001];
    for (int i = 0; i < 1000; i++) spray[i] = 0.001f * (float)i;
    spray[1000] = 50; /* one droplet does not darken everything else */
    assert_range(spray, 1001, 0, 1);
}

static void odd_input_does_no_harm(void **state)
{
    float positions[] = {0, 0, 0, 1e30f, -1e30f, 1e30f, 0, 0, 9.9f}, values[] = {NAN, INFINITY, -INFINITY};
    mn_preview preview = {.width = WIDTH,
                          .height = HEIGHT,
                          .count = 3,
                          .positions = positions,
                          .radius = 0.1f,
                          .values = values,
                          .water = *state != NULL,
                          .title = "\xc3\xa9 and a title that is far too long for the picture it is written on",
                          .label = ""};
    free(draw(&preview));
    preview.view = &FRONT;
    free(draw(&preview));
    preview.radius = 1e20f;
    free(draw(&preview));
    preview.count = 0;
    free(draw(&preview));
    preview.width = preview.height = 16;
    int width, height;
    assert_int_equal(mn_preview_write(in_folder("small.png"), &preview, say), MN_OK);
    free(read_picture(in_folder("small.png"), &width, &height));

    preview.width = 0;
    assert_int_equal(mn_preview_write(in_folder("none.png"), &preview, say), MN_BAD_INPUT);
    assert_says("0 x 16 pixels");
    preview.width = 16;
    preview.radius = NAN;
    assert_int_equal(mn_preview_write(in_folder("none.png"), &preview, say), MN_BAD_INPUT);
    assert_says("radius");
    preview.radius = 1;
    mn_view blind = {{1, 1, 1}, {1, 1, 1}, {0, 1, 0}, 30, 0};
    preview.view = &blind;
    assert_int_equal(mn_preview_write(in_folder("none.png"), &preview, say), MN_BAD_INPUT);
    assert_says("eye and target must differ");
    mn_view down = {{0, 5, 0}, {0, 0, 0}, {0, 1, 0}, 30, 0}; /* looks along its own up */
    preview.view = &down;
    assert_int_equal(mn_preview_write(in_folder("down.png"), &preview, say), MN_OK);
    assert_false(exists(in_folder("none.png")));
}

static void huge_spheres_end_soon(void **state)
{
    enum { COUNT = 20000 };
    float *positions = calloc(3 * COUNT, sizeof *positions);
    for (int i = 0; i < COUNT; i++) positions[3 * i + 2] = -0.0001f * (float)i;
    mn_preview preview = {.width = WIDTH,
                          .height = HEIGHT,
                          .count = COUNT,
                          .positions = positions,
                          .radius = 4,
                          .water = *state != NULL,
                          .view = &FRONT};
    clock_t start = clock();
    free(draw(&preview));
    /* seconds even with sanitizers; unlimited it takes minutes */
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
    free(positions);
}

/* 640,000 particles at 1280 x 720 in less than half a second on two cores: of the time of the CPU less than a
 * second, however busy the machine is. Water takes three times as long. */
static void many_particles_are_drawn_soon(void **state)
{
    enum { X = 200, Y = 16, Z = 200, COUNT = X * Y * Z };
    float *positions = calloc(3 * COUNT, sizeof *positions), *values = calloc(COUNT, sizeof *values);
    for (int i = 0; i < COUNT; i++) {
        float *p = positions + 3 * (size_t)i;
        p[0] = 0.01f * (float)(i % X), p[2] = 0.01f * (float)(i / X % Z);
        p[1] = 0.01f * (float)(i / (X * Z)) + 0.05f * sinf(9 * p[0]) * cosf(7 * p[2]);
        values[i] = p[1];
    }
    const double low[3] = {0, -0.1, 0}, high[3] = {2, 0.3, 2}, up[3] = {0, 1, 0};
    const mn_view view = mn_view_auto(low, high, up, 1280 / 720.0);
    mn_preview preview = {.width = 1280,
                          .height = 720,
                          .count = COUNT,
                          .positions = positions,
                          .radius = 0.005f,
                          .values = values,
                          .water = *state != NULL,
                          .view = &view,
                          .label = "speed [m/s]"};
    double best = 1e9, wall = 1e9;
    omp_set_num_threads(2);
    for (int k = 0; k < (SANITIZED ? 1 : best < 1 ? 2 : 5); k++) {
        const double begin = omp_get_wtime();
        clock_t start = clock();
        assert_int_equal(mn_preview_write(in_folder("many.png"), &preview, say), MN_OK);
        best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
        wall = fmin(wall, omp_get_wtime() - begin);
    }
    print_message("%s: %.3f s, %.3f s of the CPU\n", preview.water ? "water" : "spheres", wall, best);
    assert_true(best < (SANITIZED ? 60 : preview.water ? 2 : 1));
    free(positions);
    free(values);
}

static void full_disk(void **state)
{
    (void)state;
    float positions[3] = {0, 0, 0};
    mn_preview preview = {.width = WIDTH, .height = HEIGHT, .count = 1, .positions = positions, .radius = 0.1f};
    limit_files(1000);
    mn_status status = mn_preview_write(in_folder("full.png"), &preview, say);
    limit_files(RLIM_INFINITY);
    assert_int_equal(status, MN_FAILED);
    assert_says("File too large");
    assert_false(exists(in_folder("full.png")) || exists(in_folder("full.png.partial")));
}

static void videos(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    mn_status status = mn_video_write(in_folder(""), 25, in_folder("v.mp4"), say);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, MN_OK);
    assert_int_equal(mn_messages_get(say, 0).severity, MN_NOTE);
    assert_says("ffmpeg is not in the PATH");
    if (system("command -v ffmpeg > /dev/null") != 0) return;

    /* Names that mean something to ffmpeg; pictures with one missing in the middle. */
    mn_messages_clear(say);
    assert_int_equal(mn_folder_make(in_folder("v:%03d *"), say), MN_OK);
    assert_int_equal(mn_video_write(in_folder("v:%03d *"), 25, in_folder("v:%03d *.mp4"), say), MN_FAILED);
    assert_int_equal(mn_messages_errors(say), 0);
    assert_says("ffmpeg ended with status");
    mn_messages_clear(say);
    float positions[3] = {0, 0, 0};
    mn_preview preview = {
        .width = 161, .height = 91, .count = 1, .positions = positions, .radius = 0.1f, .view = &FRONT};
    for (int k = 0; k < 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "v:%%03d */frame_%05d.png", k);
        positions[0] = 0.1f * (float)k;
        if (k != 2) assert_int_equal(mn_preview_write(in_folder(name), &preview, say), MN_OK);
    }
    assert_int_equal(mn_video_write(in_folder("v:%03d *"), 25, in_folder("v:%03d *.mp4"), say), MN_OK);
    assert_true(exists(in_folder("v:%03d *.mp4")));
    assert_false(exists(in_folder("v:%03d *.mp4.partial")));
    assert_int_equal(mn_messages_count(say), 0);
    char count[1000];
    snprintf(count, sizeof count,
             "test \"$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 '%s')\" = 3",
             in_folder("v:%03d *.mp4"));
    if (system("command -v ffprobe > /dev/null") == 0) assert_int_equal(system(count), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_are_where_they_should_be),
        cmocka_unit_test(near_hides_far),
        cmocka_unit_test(water_is_clear),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test_prestate(threads_do_not_matter, &as_water),
        cmocka_unit_test(far_walls_are_drawn_and_near_ones_left_out),
        cmocka_unit_test(automatic_view_shows_the_whole_box),
        cmocka_unit_test(ranges_are_round),
        cmocka_unit_test(odd_input_does_no_harm),
        cmocka_unit_test_prestate(odd_input_does_no_harm, &as_water),
        cmocka_unit_test(huge_spheres_end_soon),
        cmocka_unit_test_prestate(huge_spheres_end_soon, &as_water),
        cmocka_unit_test(many_particles_are_drawn_soon),
        cmocka_unit_test_prestate(many_particles_are_drawn_soon, &as_water),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(videos),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
