"""What only a board does: it is reset under its connections, and its certificate is whatever is in its flash."""
from client.check import Suite, check
from client.mcp import http_bytes, request
from targets import EmulatedBoard, Peer
from test_clients import check_served, curl

suite = Suite()
SEVERAL = 3


@suite
def after_a_reset_every_client_is_told_at_once_and_served_again(target):
    """Nobody finds out only by a request that fails: an idle client reads the end of its connection."""
    peers = [Peer(target).handshake() for _ in range(SEVERAL)]
    for peer in peers:
        check(peer.exchange(request(1))[0] == 200, "not served before")
    target.board.restart()
    for peer in peers:
        check(peer.end() == b"", "it said something on a connection that is gone")
        peer.socket.close()
    check_served(target)


@suite
def a_request_that_is_sent_while_it_starts_ends_and_is_not_answered(target):
    """TLS has a state, which a reset ends: a client sees the end of the connection, and comes back."""
    with Peer(target) as peer:
        check(peer.handshake().exchange(request(1))[0] == 200, "not served before")
        target.board.emulator.reset_and_hold()
        peer.socket.sendall(peer.record(http_bytes(request(2))))
        target.board.emulator.release()
        target.board.wait_for(rb": ready[^\n]*\n")
        check(peer.end() == b"", "it answered on a connection that is gone")
    check_served(target)


def clients_refuse_an_expired_certificate(build, certs, image):
    """A board has no clock and serves what it has; clients look at the date."""
    certs.certificate("expired", "ca", dates=("20200101000000Z", "20210101000000Z"))
    certs.identity("expired.bin", "expired", ["expired"])
    board = EmulatedBoard(build, certs, image, identity="expired.bin")
    status, _, err = curl(board, request(1))
    check(status == 60 and "expired" in err, f"{status} {err}")
    status, out, err = curl(board, request(1), "--insecure")
    check(status == 0, f"{status} {err}")
    check(not board.stop(), "something is not freed")
