// send: what the kernel asks for sending one small message to each of many TCP sockets over loopback, at a
// fixed rate. No server that has a connection for each client can do it for less.
//
//	send CLIENTS BYTES HZ ROUNDS
//
// A second process takes what comes. The processor time of one send, in nanoseconds, goes to standard
// output as JSON.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void die(const char *what) {
	perror(what);
	exit(1);
}

static double used(void) {
	struct rusage r;
	getrusage(RUSAGE_SELF, &r);
	return (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1e9 + (r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e3;
}

static void drain(const int *sockets, int n) {
	int poll = epoll_create1(0);
	struct epoll_event events[256], one = {.events = EPOLLIN};
	static char buf[1 << 16];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < n; i++) {
		one.data.fd = sockets[i];
		epoll_ctl(poll, EPOLL_CTL_ADD, sockets[i], &one);
	}
	for (;;) {
		int k = epoll_wait(poll, events, 256, 20000);
		if (k <= 0) _exit(0);
		for (int i = 0; i < k; i++)
			if (read(events[i].data.fd, buf, sizeof buf) <= 0) _exit(0);
	}
}

int main(int argc, char **argv) {
	if (argc != 5) {
		fprintf(stderr, "send CLIENTS BYTES HZ ROUNDS\n");
		return 2;
	}
	int n = atoi(argv[1]), bytes = atoi(argv[2]), hz = atoi(argv[3]), rounds = atoi(argv[4]), yes = 1;
	int *ours = calloc(n, sizeof *ours), *theirs = calloc(n, sizeof *theirs);
	char *message = calloc(1, bytes);
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&at, size) || listen(listener, 64) || getsockname(listener, (struct sockaddr *)&at, &size)) die("listen");
	for (int i = 0; i < n; i++) {
		theirs[i] = socket(AF_INET, SOCK_STREAM, 0);
		if (connect(theirs[i], (struct sockaddr *)&at, size)) die("connect");
		ours[i] = accept(listener, 0, 0);
		setsockopt(ours[i], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	}
	pid_t reader = fork();
	if (reader == 0) drain(theirs, n);
	struct timespec next;
	clock_gettime(CLOCK_MONOTONIC, &next);
	double before = 0;
	for (int r = -hz / 2; r < rounds; r++) { // half a second that does not count
		if (r == 0) before = used();
		next.tv_nsec += 1000000000 / hz;
		if (next.tv_nsec >= 1000000000) next.tv_nsec -= 1000000000, next.tv_sec++;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, 0);
		for (int i = 0; i < n; i++)
			if (send(ours[i], message, bytes, MSG_NOSIGNAL) != bytes) die("send");
	}
	printf("{\"CPU\":%.0f}\n", (used() - before) / ((double)rounds * n));
	kill(reader, SIGKILL);
	waitpid(reader, 0, 0);
	return 0;
}
