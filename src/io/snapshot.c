/* snapshot.c -- checkpoints as HDF5 files with a seal.
 *
 *     [ HDF5: attribute meniscus_snapshot = 2 at the root, one dataset (count x width) an array, in the order added ]
 *     [ seal, 24 bytes: "MNSEAL01", length of the HDF5 part, its checksum; both 64-bit little-endian ]
 *
 * HDF5 tools ignore what follows the HDF5 part, so that h5dump and h5py open a checkpoint as it is.
 *
 * Reading: the seal is verified before HDF5 sees a byte, since the library can be crashed by damaged files. The
 * checksum finds damage, not forgery. Every size in the file is compared with the file's length before memory is
 * asked for.
 *
 * Writing: HDF5 builds the file in memory and file.c puts it on disk. HDF5 cannot close a file that it cannot write,
 * so a full disk would leak it and disturb the exit of the program.
 */
#include "io/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lock.h"
#include "base/checksum.h"

/* Version 2: solids have an array more, the surplus of energy. Version 1 is read too: a scene without solids needs no
 * more. */
enum { OLDEST = 1, VERSION = 2, MAX_ARRAYS = 4096, MAX_WIDTH = 4096, SEAL_BYTES = 24, CHUNK_BYTES = 1 << 20 };
static const char SEAL_MAGIC[8] = "MNSEAL01";
static const unsigned char HDF5_MAGIC[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
static const char VERSION_NAME[] = "meniscus_snapshot";

static mn_place in_file(const char *path) { return (mn_place){path, 0, 0}; }

size_t mn_type_bytes(mn_type type) { return type == MN_U8 ? 1 : type == MN_F32 || type == MN_I32 ? 4 : 8; }

/* ------------------------------------------------------------------ arrays */

static bool is_name(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length < sizeof((mn_array *)0)->name && !strchr(name, '/') && strcmp(name, ".") != 0;
}

void *mn_snapshot_add(mn_snapshot *snap, const char *name, mn_type type, int width, long count)
{
    size_t bytes;
    if (!is_name(name) || width < 1 || width > MAX_WIDTH || count < 0 || snap->count >= MAX_ARRAYS) return NULL;
    if (mn_snapshot_find(snap, name)) return NULL;
    if (__builtin_mul_overflow((size_t)count, (size_t)width * mn_type_bytes(type), &bytes) || bytes > PTRDIFF_MAX)
        return NULL;

    mn_array *longer = realloc(snap->arrays, (size_t)(snap->count + 1) * sizeof *longer);
    if (!longer) return NULL;
    snap->arrays = longer;
    mn_array *array = &longer[snap->count];
    memset(array, 0, sizeof *array);
    memcpy(array->name, name, strlen(name) + 1);
    array->type = type;
    array->width = width;
    array->count = count;
    array->data = calloc(bytes ? bytes : 1, 1);
    if (!array->data) return NULL;
    snap->count++;
    return array->data;
}

mn_array *mn_snapshot_find(const mn_snapshot *snap, const char *name)
{
    for (int a = 0; a < snap->count; a++)
        if (strcmp(snap->arrays[a].name, name) == 0) return &snap->arrays[a];
    return NULL;
}

const mn_array *mn_snapshot_need(const mn_snapshot *snap, const char *name, mn_type type, int width, long count,
                                 mn_messages *say)
{
    const mn_array *a = mn_snapshot_find(snap, name);
    if (a && a->type == type && a->width == width && a->count == count) return a;
    mn_say_error(say, MN_NOWHERE, "the checkpoint does not fit this scene: array '%s' is %s", name,
                 a ? "of another size" : "missing");
    return NULL;
}

void mn_snapshot_free(mn_snapshot *snap)
{
    for (int a = 0; a < snap->count; a++) free(snap->arrays[a].data);
    free(snap->arrays);
    *snap = (mn_snapshot){NULL, 0};
}

/* ----------------------------------------------------------- HDF5 in general */

/* HDF5 prints its errors; for the length of a call they are kept quiet and the innermost one becomes our message. It
 * knows one caller at a time: other threads wait. */
typedef struct quiet {
    H5E_auto2_t printer;
    void *data;
} quiet;

static quiet silence(void)
{
    quiet before;
    mn_lock_take(MN_LOCK_HDF5);
    H5Eget_auto2(H5E_DEFAULT, &before.printer, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

static void end_silence(quiet before)
{
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, before.printer, before.data);
    mn_lock_give(MN_LOCK_HDF5);
}

static herr_t keep_first(unsigned depth, const H5E_error2_t *error, void *text)
{
    if (depth == 0 && error->desc) snprintf(text, 128, "%s", error->desc);
    return 0;
}

static void hdf5_reason(char reason[128])
{
    snprintf(reason, 128, "HDF5 gave no reason");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, reason);
}

static hid_t memory_type(mn_type type)
{
    switch (type) {
    case MN_F32: return H5T_NATIVE_FLOAT;
    case MN_F64: return H5T_NATIVE_DOUBLE;
    case MN_I32: return H5T_NATIVE_INT32;
    case MN_I64: return H5T_NATIVE_INT64;
    case MN_U8: return H5T_NATIVE_UINT8;
    }
    return -1;
}

static hid_t file_type(mn_type type)
{
    switch (type) {
    case MN_F32: return H5T_IEEE_F32LE;
    case MN_F64: return H5T_IEEE_F64LE;
    case MN_I32: return H5T_STD_I32LE;
    case MN_I64: return H5T_STD_I64LE;
    case MN_U8: return H5T_STD_U8LE;
    }
    return -1;
}

/* ----------------------------------------------------------------- writing */

static bool put_version(hid_t file)
{
    int version = VERSION;
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file, VERSION_NAME, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, &version) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    return done;
}

static bool put_array(hid_t file, const mn_array *array)
{
    hsize_t dims[2] = {(hsize_t)array->count, (hsize_t)array->width};
    hsize_t rows = CHUNK_BYTES / (mn_type_bytes(array->type) * (size_t)array->width);
    hsize_t chunk[2] = {rows < dims[0] ? rows : dims[0], dims[1]};
    hid_t space = H5Screate_simple(2, dims, NULL);
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    bool done = space >= 0 && layout >= 0 && H5Pset_obj_track_times(layout, false) >= 0;
    /* Chunks cannot be empty; an empty array needs no checksum. */
    if (done && array->count > 0) done = H5Pset_chunk(layout, 2, chunk) >= 0 && H5Pset_fletcher32(layout) >= 0;
    hid_t set =
        done ? H5Dcreate2(file, array->name, file_type(array->type), space, H5P_DEFAULT, layout, H5P_DEFAULT) : -1;
    done = set >= 0;
    if (done && array->count > 0)
        done = H5Dwrite(set, memory_type(array->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, array->data) >= 0;
    if (set >= 0 && H5Dclose(set) < 0) done = false;
    if (layout >= 0) H5Pclose(layout);
    if (space >= 0) H5Sclose(space);
    return done;
}

static hid_t new_image(const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = -1;
    /* Creation order is kept so that arrays are read back in the order they were added. */
    if (access >= 0 && create >= 0 && H5Pset_fapl_core(access, 64u << 20, false) >= 0 &&
        H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
        H5Pset_obj_track_times(create, false) >= 0)
        file = H5Fcreate(path, H5F_ACC_TRUNC, create, access);
    if (access >= 0) H5Pclose(access);
    if (create >= 0) H5Pclose(create);
    return file;
}

static void put_le64(unsigned char *out, uint64_t value)
{
    for (int b = 0; b < 8; b++) out[b] = (unsigned char)(value >> (8 * b));
}

static uint64_t get_le64(const unsigned char *in)
{
    uint64_t value = 0;
    for (int b = 0; b < 8; b++) value |= (uint64_t)in[b] << (8 * b);
    return value;
}

static mn_status store(const void *image, size_t bytes, const char *path, mn_messages *say)
{
    mn_checksum sum = mn_checksum_start();
    mn_checksum_add(&sum, image, bytes);
    unsigned char seal[SEAL_BYTES];
    memcpy(seal, SEAL_MAGIC, 8);
    put_le64(seal + 8, bytes);
    put_le64(seal + 16, mn_checksum_end(&sum));

    mn_file *out = mn_file_begin(path, say);
    mn_file_put(out, image, bytes);
    mn_file_put(out, seal, sizeof seal);
    return mn_file_commit(out, say);
}

mn_status mn_snapshot_write(const mn_snapshot *snap, const char *path, mn_messages *say)
{
    quiet before = silence();
    hid_t file = new_image(path);
    bool built = file >= 0 && put_version(file);
    for (int a = 0; built && a < snap->count; a++) built = put_array(file, &snap->arrays[a]);

    /* The handle of a file in memory is the address of its bytes: no second copy of a large state. Its length is
     * asked from H5Fget_file_image, since H5Fget_filesize counts the room to grow. */
    void **image = NULL;
    built = built && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    ssize_t bytes = built ? H5Fget_file_image(file, NULL, 0) : -1;
    built = bytes > 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&image) >= 0 && image && *image;
    mn_status status = MN_FAILED;
    if (built) {
        status = store(*image, (size_t)bytes, path, say);
    } else {
        mn_say_failure(say, in_file(path),
                       "out of memory for the checkpoint; it needs as much memory as the state itself");
    }
    if (file >= 0) H5Fclose(file);
    end_silence(before);
    return status;
}

/* ----------------------------------------------------------------- reading */

static ssize_t read_full(int fd, void *out, size_t size)
{
    size_t used = 0;
    while (used < size) {
        ssize_t got = read(fd, (char *)out + used, size - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        used += (size_t)got;
    }
    return (ssize_t)used;
}

/* The checksum of the first `length` bytes; false if they cannot be read. */
static bool sum_of(int fd, uint64_t length, uint64_t *out)
{
    char *block = malloc(CHUNK_BYTES);
    mn_checksum sum = mn_checksum_start();
    bool done = block && lseek(fd, 0, SEEK_SET) == 0;
    while (done && length > 0) {
        size_t part = length < CHUNK_BYTES ? (size_t)length : CHUNK_BYTES;
        done = read_full(fd, block, part) == (ssize_t)part;
        if (done) mn_checksum_add(&sum, block, part);
        length -= part;
    }
    free(block);
    *out = mn_checksum_end(&sum);
    return done;
}

/* Says what is wrong with the bytes of the file, or returns NULL if the seal holds. */
static const char *broken_seal(int fd, uint64_t size)
{
    unsigned char magic[8], seal[SEAL_BYTES];
    if (size == 0) return "the file is empty; a checkpoint was expected";
    if (read_full(fd, magic, 8) != 8 || memcmp(magic, HDF5_MAGIC, 8) != 0)
        return "this is not a checkpoint: it does not begin as an HDF5 file does";
    if (size < 8 + SEAL_BYTES) return "the checkpoint is cut short";
    if (lseek(fd, (off_t)(size - SEAL_BYTES), SEEK_SET) < 0 || read_full(fd, seal, SEAL_BYTES) != SEAL_BYTES)
        return "the end of the checkpoint cannot be read";
    if (memcmp(seal, SEAL_MAGIC, 8) != 0)
        return "the checkpoint is cut short or damaged, or is an HDF5 file of another program: its seal is missing at "
               "the end";
    if (get_le64(seal + 8) != size - SEAL_BYTES)
        return "the checkpoint is damaged: its length differs from the one in its seal";
    uint64_t sum;
    if (!sum_of(fd, size - SEAL_BYTES, &sum)) return "the checkpoint cannot be read to its end";
    if (get_le64(seal + 16) != sum) return "the checkpoint is damaged: its checksum differs from the one in its seal";
    return NULL;
}

static mn_status check_seal(const char *path, uint64_t *size, mn_messages *say)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not hang us */
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        mn_say_error(say, in_file(path), "cannot read the checkpoint: %s", strerror(errno));
        if (fd >= 0) close(fd);
        return MN_FAILED;
    }
    const char *wrong = "this is not a checkpoint: it is a folder, device or pipe";
    if (S_ISREG(info.st_mode)) wrong = broken_seal(fd, (uint64_t)info.st_size);
    close(fd);
    *size = (uint64_t)info.st_size;
    if (!wrong) return MN_OK;
    mn_say_error(say, in_file(path), "%s", wrong);
    return MN_FAILED;
}

static bool type_of(hid_t set, mn_type *type)
{
    hid_t stored = H5Dget_type(set);
    bool known = false;
    for (int t = MN_F32; stored >= 0 && !known && t <= MN_U8; t++)
        if (H5Tequal(stored, file_type((mn_type)t)) > 0) {
            *type = (mn_type)t;
            known = true;
        }
    if (stored >= 0) H5Tclose(stored);
    return known;
}

static bool shape_of(hid_t set, hsize_t dims[2])
{
    hid_t space = H5Dget_space(set);
    bool fits =
        space >= 0 && H5Sget_simple_extent_ndims(space) == 2 && H5Sget_simple_extent_dims(space, dims, NULL) == 2;
    if (space >= 0) H5Sclose(space);
    return fits;
}

static const char NO_ROOM[] = "does not fit into memory";

/* Adds one dataset to the snapshot; NULL, or what is wrong with it. */
static const char *take_set(mn_snapshot *snap, hid_t set, const char *name, uint64_t file_size)
{
    mn_type type;
    hsize_t dims[2] = {0, 0};
    if (!type_of(set, &type))
        return "has a type that checkpoints do not use (expected 32- or 64-bit float or integer, or bytes)";
    if (!shape_of(set, dims)) return "does not have two dimensions";
    if (dims[1] < 1 || dims[1] > MAX_WIDTH || dims[0] > LONG_MAX) return "has an impossible size";
    if (dims[0] > file_size / (dims[1] * mn_type_bytes(type))) return "claims more data than the whole file holds";
    if (mn_snapshot_find(snap, name)) return "appears twice";
    void *data = mn_snapshot_add(snap, name, type, (int)dims[1], (long)dims[0]);
    if (!data) return NO_ROOM;
    if (dims[0] > 0 && H5Dread(set, memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        return "cannot be read";
    return NULL;
}

static mn_status take_array(mn_snapshot *snap, hid_t file, hsize_t index, uint64_t file_size, const char *path,
                            mn_messages *say)
{
    char name[sizeof snap->arrays->name] = "";
    ssize_t length =
        H5Lget_name_by_idx(file, "/", H5_INDEX_CRT_ORDER, H5_ITER_INC, index, name, sizeof name, H5P_DEFAULT);
    if (length <= 0 || (size_t)length >= sizeof name || !is_name(name)) {
        mn_say_error(say, in_file(path), "the checkpoint is damaged: array %llu has no usable name",
                     (unsigned long long)index);
        return MN_FAILED;
    }
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const char *wrong = set >= 0 ? take_set(snap, set, name, file_size) : "is not a dataset";
    if (wrong == NO_ROOM)
        mn_say_failure(say, in_file(path), "cannot read this checkpoint: its array '%s' %s", name, wrong);
    else if (wrong) mn_say_error(say, in_file(path), "cannot use this checkpoint: its array '%s' %s", name, wrong);
    if (set >= 0) H5Dclose(set);
    return wrong ? MN_FAILED : MN_OK;
}

/* The version, or -1 if the file has none. */
static int version_of(hid_t file)
{
    int version = -1;
    hid_t attribute = H5Aexists(file, VERSION_NAME) > 0 ? H5Aopen(file, VERSION_NAME, H5P_DEFAULT) : -1;
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, H5T_NATIVE_INT, &version) < 0)
        version = -1;
    if (space >= 0) H5Sclose(space);
    if (attribute >= 0) H5Aclose(attribute);
    return version;
}

static mn_status take_all(mn_snapshot *snap, hid_t file, uint64_t file_size, const char *path, mn_messages *say)
{
    int version = version_of(file);
    if (version < OLDEST || version > VERSION) {
        if (version < 0) mn_say_error(say, in_file(path), "this is an HDF5 file, but not a checkpoint");
        else
            mn_say_error(say, in_file(path),
                         "the checkpoint has version %d; this program reads versions %d to %d: resume "
                         "with the program that wrote it, or start a new run",
                         version, OLDEST, VERSION);
        return MN_FAILED;
    }
    H5G_info_t info;
    if (H5Gget_info(file, &info) < 0 || info.nlinks > MAX_ARRAYS) {
        mn_say_error(say, in_file(path), "the checkpoint is damaged: its list of arrays cannot be read");
        return MN_FAILED;
    }
    for (hsize_t a = 0; a < info.nlinks; a++)
        if (take_array(snap, file, a, file_size, path, say) != MN_OK) return MN_FAILED;
    return MN_OK;
}

/* Without HDF5's file locks, which some network file systems refuse; a finished checkpoint never changes in place. */
static hid_t open_file(const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0) return -1;
    hid_t file = H5Pset_file_locking(access, false, true) >= 0 ? H5Fopen(path, H5F_ACC_RDONLY, access) : -1;
    if (file >= 0) H5Pclose(access); /* after a failure it would wipe the reason */
    return file;
}

mn_status mn_snapshot_read(mn_snapshot *snap, const char *path, mn_messages *say)
{
    *snap = (mn_snapshot){NULL, 0};
    uint64_t size;
    if (check_seal(path, &size, say) != MN_OK) return MN_FAILED;

    quiet before = silence();
    hid_t file = open_file(path);
    mn_status status = MN_FAILED;
    if (file >= 0) {
        status = take_all(snap, file, size, path, say);
        H5Fclose(file);
    } else {
        char reason[128];
        hdf5_reason(reason);
        mn_say_error(say, in_file(path), "the checkpoint cannot be opened: %s", reason);
    }
    end_silence(before);
    if (status != MN_OK) mn_snapshot_free(snap);
    return status;
}
