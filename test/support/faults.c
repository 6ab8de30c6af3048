/*
 * Lets system calls fail, for tests that want to know what becomes of a program when the disk does: preloaded into a
 * process (LD_PRELOAD), it stands between it and the C library. Node and the SQLite in better-sqlite3 both call that.
 *
 * Counted are the calls that change files under FAULTS_ROOT: write, pwrite, fsync, fdatasync, ftruncate, open for
 * writing, rename, unlink, mkdir, link, chmod. With EROFS, a question for the permission to write counts as well.
 *
 *   FAULTS_AT      the call that fails, from 1; none when missing
 *   FAULTS_LAST    the last call that fails: FAULTS_AT when missing, 0 for ever after
 *   FAULTS_ERRNO   with which error number
 *   FAULTS_SIGNAL  kills the process with this signal instead; programs that it starts are left alone
 *   FAULTS_LOG     gets a line for each call, `<number> <call> <path>`, with ` failed` at its end when it did
 *
 * A write that fails, or at which the process is killed, leaves the first half of what it was to write, as full disks do.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static const char *root, *log_path;
static long first, last;
static int error_number, signal_number;

static long number(const char *name, long otherwise) {
  const char *value = getenv(name);
  return value ? atol(value) : otherwise;
}

__attribute__((constructor)) static void read_environment(void) {
  root = getenv("FAULTS_ROOT");
  log_path = getenv("FAULTS_LOG");
  first = number("FAULTS_AT", -1);
  last = number("FAULTS_LAST", first);
  error_number = (int)number("FAULTS_ERRNO", EIO);
  signal_number = (int)number("FAULTS_SIGNAL", 0);
  if (signal_number) unsetenv("LD_PRELOAD");
}

/* What a call that is due comes to. */
static int fail(void) {
  if (signal_number) kill(getpid(), signal_number);
  errno = error_number;
  return -1;
}

/* Past the functions below, which would count it. */
static void log_line(const char *line) {
  if (!log_path) return;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  syscall(SYS_write, fd, line, strlen(line));
  syscall(SYS_close, fd);
}

static int is_watched(const char *path) {
  size_t length = root ? strlen(root) : 0;
  return length > 0 && strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static const char *path_of(int fd, char *buffer) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  buffer[length < 0 ? 0 : length] = '\0';
  return buffer;
}

/* Counts a call on this path; whether it is to fail. */
static int fails(const char *call, const char *path) {
  char line[PATH_MAX + 64];
  if (!root || !is_watched(path)) return 0;
  long n = atomic_fetch_add(&calls, 1) + 1;
  int due = first > 0 && n >= first && (last == 0 || n <= last);
  snprintf(line, sizeof line, "%ld %s %s%s\n", n, call, path, due ? " failed" : "");
  log_line(line);
  return due;
}

static int fails_fd(const char *call, int fd) {
  char path[PATH_MAX];
  int before = errno;
  int due = root && fails(call, path_of(fd, path));
  errno = before;
  return due;
}

static int fails_path(const char *call, int folder, const char *path) {
  char whole[2 * PATH_MAX], base[PATH_MAX];
  if (!root || !path) return 0;
  if (path[0] != '/') {
    if (folder == AT_FDCWD) { if (!getcwd(base, sizeof base)) return 0; }
    else path_of(folder, base);
    snprintf(whole, sizeof whole, "%s/%s", base, path);
    path = whole;
  }
  int before = errno;
  int due = fails(call, path);
  errno = before;
  return due;
}

#define NEXT(type, name) \
  static type (*next)() = NULL; \
  if (!next) next = (type (*)())dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t count) {
  NEXT(ssize_t, write);
  if (fails_fd("write", fd)) {
    next(fd, bytes, count / 2);
    return fail();
  }
  return next(fd, bytes, count);
}

#define PWRITE(name) \
  ssize_t name(int fd, const void *bytes, size_t count, off_t at) { \
    NEXT(ssize_t, name); \
    if (fails_fd("pwrite", fd)) { \
      next(fd, bytes, count / 2, at); \
      return fail(); \
    } \
    return next(fd, bytes, count, at); \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t writev(int fd, const struct iovec *parts, int count) {
  NEXT(ssize_t, writev);
  if (fails_fd("writev", fd)) return fail();
  return next(fd, parts, count);
}

#define ON_FD(name) \
  int name(int fd) { \
    NEXT(int, name); \
    if (fails_fd(#name, fd)) return fail(); \
    return next(fd); \
  }
ON_FD(fsync)
ON_FD(fdatasync)

#define TRUNCATE(name) \
  int name(int fd, off_t length) { \
    NEXT(int, name); \
    if (fails_fd("ftruncate", fd)) return fail(); \
    return next(fd, length); \
  }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

int fchmod(int fd, mode_t mode) {
  NEXT(int, fchmod);
  if (fails_fd("fchmod", fd)) return fail();
  return next(fd, mode);
}

static int is_change(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

#define MODE(flags) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    NEXT(int, name); \
    MODE(flags) \
    if (is_change(flags) && fails_path("open", AT_FDCWD, path)) return fail(); \
    return next(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    NEXT(int, name); \
    MODE(flags) \
    if (is_change(flags) && fails_path("open", folder, path)) return fail(); \
    return next(folder, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

int access(const char *path, int mode) {
  NEXT(int, access);
  if (error_number == EROFS && (mode & W_OK) && fails_path("access", AT_FDCWD, path)) return fail();
  return next(path, mode);
}

int rename(const char *from, const char *to) {
  NEXT(int, rename);
  if (fails_path("rename", AT_FDCWD, to)) return fail();
  return next(from, to);
}

int link(const char *from, const char *to) {
  NEXT(int, link);
  if (fails_path("link", AT_FDCWD, to)) return fail();
  return next(from, to);
}

int unlink(const char *path) {
  NEXT(int, unlink);
  if (fails_path("unlink", AT_FDCWD, path)) return fail();
  return next(path);
}

int unlinkat(int folder, const char *path, int flags) {
  NEXT(int, unlinkat);
  if (fails_path("unlink", folder, path)) return fail();
  return next(folder, path, flags);
}

int mkdir(const char *path, mode_t mode) {
  NEXT(int, mkdir);
  if (fails_path("mkdir", AT_FDCWD, path)) return fail();
  return next(path, mode);
}

int chmod(const char *path, mode_t mode) {
  NEXT(int, chmod);
  if (fails_path("chmod", AT_FDCWD, path)) return fail();
  return next(path, mode);
}
