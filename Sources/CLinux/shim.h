// What the Glibc overlay leaves out. `_GNU_SOURCE` is not defined here: with it this header and the overlay would disagree
// about `fd_set`, so the GNU functions below are declared by hand.
#pragma once
#include <spawn.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <netinet/tcp.h>

int pipe2(int ends[2], int flags);
int memfd_create(const char *name, unsigned int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);

// prctl(2) takes any number of arguments, which Swift does not.
static inline int chil_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// Has the line of memory fetched that will be read soon. Any address will do: it never faults.
static inline void chil_prefetch(const void *address) { __builtin_prefetch(address); }

// <linux/memfd.h>: MFD_CLOEXEC.
static const unsigned int chil_close_on_exec_memory = 1u;
