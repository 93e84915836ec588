"""Opens watches and never reads them: silent-clients.py HOST PORT PATH COUNT. Ends when its input does."""
import socket
import sys

host, port, path, count = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
sockets = []
for _ in range(count):
    one = socket.socket()
    # As small as the kernel allows, so that a watch stalls after little.
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect((host, port))
    one.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    sockets.append(one)
print("ready", flush=True)
sys.stdin.read()
