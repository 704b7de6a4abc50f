/* The ranks of two sites become one MPI world: the first site publishes a port by ompi-server, the second connects to it. Argument 1 is the name. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int first = atoi(getenv("METASCHED_RANK")) == 0, mine, ranks, sum, theirs;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other, all;
    MPI_Comm_rank(MPI_COMM_WORLD, &mine);
    MPI_Comm_size(MPI_COMM_WORLD, &theirs);
    if (first) {
        if (mine == 0) {
            MPI_Open_port(MPI_INFO_NULL, port);
            MPI_Publish_name(argv[1], MPI_INFO_NULL, port);
        }
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
    } else {
        if (mine == 0) {
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
            while (MPI_Lookup_name(argv[1], MPI_INFO_NULL, port) != MPI_SUCCESS) usleep(200000);
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        }
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
    }
    MPI_Intercomm_merge(other, !first, &all);
    MPI_Comm_rank(all, &mine);
    MPI_Comm_size(all, &ranks);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, all);
    printf("rank %d of %d, sum %d\n", mine, ranks, sum);
    if (first && mine == 0) MPI_Unpublish_name(argv[1], MPI_INFO_NULL, port);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
