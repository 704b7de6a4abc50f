/* MPI inside each site, TCP between the first ranks of the sites: argument 1 is the port at which the first site listens. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <sys/socket.h>
#include <errno.h>

static void line_of(int socket, char *line) {
    int n = 0;
    while (n < 255 && read(socket, line + n, 1) == 1 && line[n] != '\n') n++;
    line[n] = 0;
}

int main(int argc, char **argv) {
    struct timeval now;
    gettimeofday(&now, NULL);
    long began = now.tv_sec * 1000L + now.tv_usec / 1000;
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long first, last;
    int sum;
    MPI_Reduce(&began, &first, 1, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&began, &last, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        int site = atoi(getenv("METASCHED_RANK")), sites = atoi(getenv("METASCHED_SIZE"));
        char secret[128] = "", line[256];
        FILE *file = fopen(getenv("METASCHED_SECRET_FILE"), "r");
        if (!file || !fgets(secret, sizeof secret, file)) MPI_Abort(MPI_COMM_WORLD, 9);
        secret[strcspn(secret, "\n")] = 0;
        struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        if (site == 0) {
            int door = socket(AF_INET, SOCK_STREAM, 0), on = 1, heard = 1;
            setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
            if (bind(door, (struct sockaddr *)&at, sizeof at) || listen(door, 16)) MPI_Abort(MPI_COMM_WORLD, 8);
            printf("hello of site 0: %d ranks, sum %d\n", size, sum);
            while (heard < sites) {
                int caller = accept(door, NULL, NULL), from, ranks, theirs;
                long a, b;
                char said[128];
                line_of(caller, line);
                if (sscanf(line, "%127s %d %d %d %ld %ld", said, &from, &ranks, &theirs, &a, &b) == 6 && !strcmp(said, secret)) {
                    printf("hello of site %d: %d ranks, sum %d\n", from, ranks, theirs);
                    if (a < first) first = a;
                    if (b > last) last = b;
                    heard++;
                }
                close(caller);
            }
            printf("began %ld spread %ld ms\n", first, last - first);
        } else {
            int call;
            do {
                call = socket(AF_INET, SOCK_STREAM, 0);
                if (connect(call, (struct sockaddr *)&at, sizeof at) == 0) break;
                close(call);
                usleep(100000);
            } while (1);
            dprintf(call, "%s %d %d %d %ld %ld\n", secret, site, size, sum, first, last);
            close(call);
        }
    }
    MPI_Finalize();
    return 0;
}
