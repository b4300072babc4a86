/* view_gpu.c -- what the shaders of the page cost on a GPU, without a browser: the passes of view/src/scene3d.js with
 * the shaders of view/src/shaders.js over EGL, new positions and values for every picture.
 *
 *     node tools/view_speed.mjs build/meniscus chromium build/page --software --keep DIR
 *     cc -O2 tools/view_gpu.c -o view_gpu -lEGL -lGLESv2 && ./view_gpu DIR
 *
 * DIR holds the shaders, a frame as /ws sends it (whole: all positions and values) and view.txt with the camera. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEAD = 88, BLOCK = 64, GROUPS = 24, SHADOW = 256 };
static const char *folder;

static char *load(const char *name, size_t *size)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    char *data = file ? calloc(1, 32u << 20) : NULL;
    if (!data) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    const size_t got = fread(data, 1, (32u << 20) - 1, file);
    if (size) *size = got;
    fclose(file);
    return data;
}

static GLuint shader(GLenum kind, const char *name)
{
    char *text = load(name, NULL), log[2000] = "";
    const char *parts[2] = {"#version 300 es\n", text};
    const GLuint id = glCreateShader(kind);
    GLint good;
    glShaderSource(id, 2, parts, NULL);
    glCompileShader(id);
    glGetShaderiv(id, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(id, sizeof log, NULL, log);
    if (!good) {
        fprintf(stderr, "%s: %s\n", name, log);
        exit(1);
    }
    free(text);
    return id;
}

/* Attributes have the same places in all programs. */
static GLuint program(const char *vertex, const char *fragment)
{
    const GLuint id = glCreateProgram();
    glAttachShader(id, shader(GL_VERTEX_SHADER, vertex));
    glAttachShader(id, shader(GL_FRAGMENT_SHADER, fragment));
    glBindAttribLocation(id, 0, "position");
    glBindAttribLocation(id, 1, "value");
    glBindAttribLocation(id, 2, "group");
    glLinkProgram(id);
    return id;
}

static void set(GLuint p, const char *name, int width, int count, const float *v)
{
    const GLint at = glGetUniformLocation(p, name);
    if (width == 1) glUniform1fv(at, count, v);
    else if (width == 2) glUniform2fv(at, count, v);
    else if (width == 3) glUniform3fv(at, count, v);
    else if (width == 4) glUniform4fv(at, count, v);
    else glUniformMatrix4fv(at, count, GL_FALSE, v);
}
static void set1(GLuint p, const char *name, float v) { set(p, name, 1, 1, &v); }
static void texture(GLuint p, const char *name, int unit, GLuint id)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, id);
    glUniform1i(glGetUniformLocation(p, name), unit);
}

typedef struct target {
    GLuint frame, colour, depth;
    int width, height;
} target;

static GLuint new_texture(GLenum format, int width, int height, GLint filter)
{
    GLuint id;
    glGenTextures(1, &id);
    glBindTexture(GL_TEXTURE_2D, id);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return id;
}

/* samples > 0: as the canvas, which smooths its edges. */
static target new_target(GLenum format, int width, int height, bool depth, int samples)
{
    target t = {.width = width, .height = height};
    GLuint buffer[2];
    glGenFramebuffers(1, &t.frame);
    glBindFramebuffer(GL_FRAMEBUFFER, t.frame);
    if (samples) {
        glGenRenderbuffers(2, buffer);
        for (int k = 0; k < 2; k++) {
            glBindRenderbuffer(GL_RENDERBUFFER, buffer[k]);
            glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, k ? GL_DEPTH_COMPONENT24 : format, width,
                                             height);
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, k ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                      buffer[k]);
        }
    } else {
        t.colour = new_texture(format, width, height, format == GL_RG32F ? GL_NEAREST : GL_LINEAR);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t.colour, 0);
        if (depth) {
            t.depth = new_texture(GL_DEPTH_COMPONENT24, width, height, GL_NEAREST);
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, t.depth, 0);
        }
    }
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fprintf(stderr, "a target is incomplete\n");
    return t;
}

static void into(const target *t)
{
    glBindFramebuffer(GL_FRAMEBUFFER, t->frame);
    glViewport(0, 0, t->width, t->height);
    glDepthMask(GL_TRUE);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

/* ------------------------------------------------------------------------------------------------------- the data */

static struct {
    int count, blocks, width, height;
    float low[3], span[3], range[2], radius, model[16], projection[16], inverse[16], shadow[16], shadow_view[16], size;
    const unsigned char *position, *value, *group;
} the;

static void read_frame(void)
{
    static const uint32_t all = 1 | 2 | 4;
    char *d = load("frame.bin", NULL);
    uint32_t head[8];
    memcpy(head, d, sizeof head);
    if (head[0] != 0x31464e4d || (head[4] & 7) != all) {
        fprintf(stderr, "frame.bin is no whole frame\n");
        exit(2);
    }
    the.count = (int)head[3], the.blocks = (the.count + BLOCK - 1) / BLOCK;
    memcpy(the.low, d + 48, 12), memcpy(the.span, d + 60, 12);
    the.position = (unsigned char *)d + HEAD + 28 * head[7];
    the.value = the.position + 6 * BLOCK * the.blocks;
    the.group = the.value + 2 * BLOCK * the.blocks;
}

static void numbers(FILE *file, float *out, int count)
{
    for (int k = 0; k < count; k++)
        if (fscanf(file, "%f", &out[k]) != 1) exit(2);
}

static void read_view(void)
{
    char path[600];
    snprintf(path, sizeof path, "%s/view.txt", folder);
    FILE *file = fopen(path, "r");
    if (!file) exit(2);
    float size[2];
    numbers(file, size, 2), numbers(file, &the.radius, 1), numbers(file, the.range, 2), numbers(file, the.model, 16),
        numbers(file, the.projection, 16), numbers(file, the.inverse, 16), numbers(file, the.shadow_view, 16),
        numbers(file, the.shadow, 16), numbers(file, &the.size, 1);
    the.width = (int)size[0], the.height = (int)size[1];
    fclose(file);
}

/* ------------------------------------------------------------------------------------------------------ the passes */

static GLuint buffer[4], points_array, quad_array, ramp;
static GLuint spheres, depths, thickness, shadows, smoothing, blurring, water, ground;
static target canvas, shown, scene, depth_a, depth_b, thick_a, thick_b, shade, half_shade;

static void use_points(GLuint p, float radius, float scale)
{
    static const float one[GROUPS] = {[0 ... GROUPS - 1] = 1}, none[GROUPS], clip[4] = {0, 0, 0, 1};
    static const float colour[3 * GROUPS] = {[0 ... 3 * GROUPS - 1] = 0.4f}, lamp[3] = {0.35f, 0.75f, 0.55f};
    static const float sky[3] = {0.53f, 0.57f, 0.62f};
    glUseProgram(p);
    set(p, "low", 3, 1, the.low), set(p, "span", 3, 1, the.span), set(p, "range", 2, 1, the.range);
    set1(p, "radius", radius), set1(p, "scale", scale), set1(p, "painted", 1), set1(p, "size", the.size);
    set(p, "clip", 4, 1, clip), set(p, "hidden", 1, GROUPS, none), set(p, "groupScale", 1, GROUPS, one);
    set(p, "groupColour", 3, GROUPS, colour), set(p, "lamp", 3, 1, lamp), set(p, "sky", 3, 1, sky);
    set(p, "floorLight", 3, 1, sky);
    set(p, "modelViewMatrix", 16, 1, p == shadows ? the.shadow_view : the.model);
    set(p, "projectionMatrix", 16, 1, p == shadows ? the.shadow : the.projection);
    texture(p, "rampMap", 0, ramp);
    glBindVertexArray(points_array);
    glDrawArrays(GL_POINTS, 0, the.count);
}

static void add_up(bool on)
{
    if (on) glEnable(GL_BLEND), glDisable(GL_DEPTH_TEST);
    else glDisable(GL_BLEND), glEnable(GL_DEPTH_TEST);
    glBlendFunc(GL_ONE, GL_ONE);
}

static void quad(GLuint p, const target *to, GLuint from, float x, float y)
{
    const float direction[2] = {x, y};
    into(to);
    glUseProgram(p);
    texture(p, "source", 0, from);
    set(p, "direction", 2, 1, direction);
    glBindVertexArray(quad_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void blur(const target *t, const target *half, float step, float most)
{
    glUseProgram(blurring);
    set1(blurring, "most", most);
    glDisable(GL_DEPTH_TEST);
    quad(blurring, half, t->colour, step / (float)t->width, 0),
        quad(blurring, t, half->colour, 0, step / (float)t->height);
    glEnable(GL_DEPTH_TEST);
}

/* Over the whole picture, where the page has it under the scene only. */
static void draw_ground(void)
{
    static const float same[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, grey[3] = {0.5f, 0.5f, 0.5f};
    glUseProgram(ground);
    set(ground, "modelMatrix", 16, 1, same), set(ground, "viewMatrix", 16, 1, same);
    set(ground, "projectionMatrix", 16, 1, same), set(ground, "shadowMatrix", 16, 1, same);
    set(ground, "ground", 3, 1, grey), set(ground, "backdrop", 3, 1, grey), set1(ground, "extent", 10);
    texture(ground, "shadowMap", 0, shade.colour);
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(quad_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEnable(GL_DEPTH_TEST);
}

static void draw_water(void)
{
    static const float up[3] = {0, 1, 0}, lamp[3] = {0.35f, 0.75f, 0.55f}, grey[3] = {0.5f, 0.5f, 0.5f};
    const float pixel[2] = {1.0f / (float)the.width, 1.0f / (float)the.height}, radius = 1.35f * the.radius;
    into(&scene);
    draw_ground();
    into(&depth_a);
    use_points(depths, radius, (float)the.height);
    add_up(true);
    into(&thick_a);
    use_points(thickness, radius, 0.5f * (float)the.height);
    add_up(false);
    glDisable(GL_DEPTH_TEST);
    glUseProgram(smoothing);
    set1(smoothing, "radius", radius), set1(smoothing, "focal", 0.5f * (float)the.height * the.projection[5]);
    for (int k = 0; k < 2; k++)
        quad(smoothing, &depth_b, depth_a.colour, pixel[0], 0), quad(smoothing, &depth_a, depth_b.colour, 0, pixel[1]);
    blur(&thick_a, &thick_b, 1, 1e9f);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    into(&canvas);
    glUseProgram(water);
    texture(water, "depthMap", 0, depth_a.colour), texture(water, "thickMap", 1, thick_a.colour);
    texture(water, "sceneMap", 2, scene.colour), texture(water, "sceneDepth", 3, scene.depth);
    texture(water, "rampMap", 4, ramp);
    set(water, "projectionMatrix", 16, 1, the.projection), set(water, "inverseProjection", 16, 1, the.inverse);
    set(water, "viewMatrix", 16, 1, the.model), set(water, "pixel", 2, 1, pixel), set(water, "up", 3, 1, up);
    set(water, "lamp", 3, 1, lamp), set(water, "sky", 3, 1, grey), set(water, "floorLight", 3, 1, grey);
    set(water, "backdrop", 3, 1, grey), set1(water, "clarity", 0.1f);
    glBindVertexArray(quad_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthFunc(GL_LEQUAL);
}

static void draw(bool as_water)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
    glBufferSubData(GL_ARRAY_BUFFER, 0, 6L * the.count, the.position);
    glBindBuffer(GL_ARRAY_BUFFER, buffer[1]);
    glBufferSubData(GL_ARRAY_BUFFER, 0, 2L * the.count, the.value);
    add_up(true);
    into(&shade);
    use_points(shadows, 0, 0);
    add_up(false);
    blur(&shade, &half_shade, 1.4f, 1);
    if (as_water) {
        draw_water();
    } else {
        into(&canvas);
        draw_ground();
        use_points(spheres, the.radius, (float)the.height);
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas.frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, shown.frame);
    glBlitFramebuffer(0, 0, the.width, the.height, 0, 0, the.width, the.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

/* -------------------------------------------------------------------------------------------------------- the start */

static bool open_gl(void)
{
    PFNEGLQUERYDEVICESEXTPROC devices = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    PFNEGLGETPLATFORMDISPLAYEXTPROC display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDeviceEXT list[8];
    EGLint count = 0;
    if (!devices || !display || !devices(8, list, &count)) return false;
    for (int k = 0; k < count; k++) {
        const EGLDisplay d = display(EGL_PLATFORM_DEVICE_EXT, list[k], NULL);
        static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
                                        EGL_NONE},
                            version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
        EGLConfig config;
        EGLint found = 0;
        if (!eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API)) continue;
        if (!eglChooseConfig(d, wanted, &config, 1, &found) || !found) continue;
        const EGLContext c = eglCreateContext(d, config, EGL_NO_CONTEXT, version);
        if (c && eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c)) return true;
    }
    return false;
}

static void prepare(void)
{
    static const float corners[9] = {-1, -1, 0, 3, -1, 0, -1, 3, 0};
    const int w = the.width, h = the.height;
    spheres = program("pointVertex", "pointFragment"), depths = program("pointVertex", "depthFragment");
    thickness = program("pointVertex", "thickFragment"), shadows = program("shadowVertex", "shadowFragment");
    smoothing = program("quadVertex", "smoothFragment"), blurring = program("quadVertex", "blurFragment");
    water = program("quadVertex", "waterFragment"), ground = program("groundVertex", "groundFragment");
    glGenVertexArrays(1, &points_array), glGenVertexArrays(1, &quad_array), glGenBuffers(4, buffer);
    const void *const data[4] = {the.position, the.value, the.group, corners};
    const long bytes[4] = {6L * the.count, 2L * the.count, the.count, sizeof corners};
    const struct {
        GLint width;
        GLenum type;
    } kind[4] = {{3, GL_UNSIGNED_SHORT}, {1, GL_UNSIGNED_SHORT}, {1, GL_UNSIGNED_BYTE}, {3, GL_FLOAT}};
    for (int k = 0; k < 4; k++) {
        glBindVertexArray(k < 3 ? points_array : quad_array);
        glBindBuffer(GL_ARRAY_BUFFER, buffer[k]);
        glBufferData(GL_ARRAY_BUFFER, bytes[k], data[k], GL_DYNAMIC_DRAW);
        glVertexAttribPointer((GLuint)(k % 3), kind[k].width, kind[k].type, k < 2, 0, NULL);
        glEnableVertexAttribArray((GLuint)(k % 3));
    }
    unsigned char colours[4 * 256];
    for (int k = 0; k < 256; k++)
        colours[4 * k] = (unsigned char)(k / 2), colours[4 * k + 1] = (unsigned char)(90 + k / 2),
                    colours[4 * k + 2] = (unsigned char)(160 - k / 4), colours[4 * k + 3] = 255;
    ramp = new_texture(GL_RGBA8, 256, 1, GL_LINEAR);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 256, 1, GL_RGBA, GL_UNSIGNED_BYTE, colours);
    canvas = new_target(GL_RGBA8, w, h, true, 4), shown = new_target(GL_RGBA8, w, h, false, 0);
    scene = new_target(GL_RGBA8, w, h, true, 0), shade = new_target(GL_R16F, SHADOW, SHADOW, false, 0);
    half_shade = new_target(GL_R16F, SHADOW, SHADOW, false, 0);
    depth_a = new_target(GL_RG32F, w, h, true, 0), depth_b = new_target(GL_RG32F, w, h, false, 0);
    thick_a = new_target(GL_R16F, w / 2, h / 2, false, 0), thick_b = new_target(GL_R16F, w / 2, h / 2, false, 0);
    glDepthFunc(GL_LEQUAL);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 2 ? atoi(argv[2]) : 300;
    if (argc < 2 || rounds < 1) return fprintf(stderr, "expected: view_gpu DIR [PICTURES]\n"), 2;
    folder = argv[1];
    read_frame(), read_view();
    if (!open_gl()) return fprintf(stderr, "EGL gives no context of OpenGL ES 3\n"), 1;
    prepare();
    printf("%s, %d particles, %d x %d pixels\n", (const char *)glGetString(GL_RENDERER), the.count, the.width,
           the.height);
    for (int as_water = 0; as_water < 2; as_water++) {
        for (int k = 0; k < (rounds > 9 ? 10 : 1); k++) draw(as_water);
        glFinish();
        const double start = now();
        for (int k = 0; k < rounds; k++) draw(as_water), glFinish();
        const double each = (now() - start) / rounds;
        unsigned char *picture = malloc(4L * the.width * the.height), seen = 0;
        glBindFramebuffer(GL_FRAMEBUFFER, shown.frame);
        glReadPixels(0, 0, the.width, the.height, GL_RGBA, GL_UNSIGNED_BYTE, picture);
        for (long k = 0; k < 4L * the.width * the.height; k++) seen |= picture[k];
        printf("%s: %.3f ms a picture, %.0f a second%s\n", as_water ? "water" : "spheres", 1e3 * each, 1 / each,
               seen && glGetError() == GL_NO_ERROR ? "" : " (nothing was drawn)");
        char path[600];
        snprintf(path, sizeof path, "%s/%s.ppm", folder, as_water ? "water" : "spheres");
        FILE *file = fopen(path, "wb");
        if (file) fprintf(file, "P6 %d %d 255\n", the.width, the.height);
        for (int y = the.height - 1; y >= 0 && file; y--)
            for (int x = 0; x < the.width; x++) fwrite(picture + 4L * (y * the.width + x), 1, 3, file);
        if (file) fclose(file);
        free(picture);
    }
    return 0;
}
