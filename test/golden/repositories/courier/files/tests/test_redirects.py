from courier.headers import Headers
from courier.redirects import next_request, same_host
from courier.request import Request, Response


def test_post_becomes_get_after_302():
    request = Request("POST", "http://a.test/form", Headers(), b"x=1")
    response = Response(request.url, 302, Headers({"Location": "/done"}), b"")
    assert next_request(request, response).method == "GET"


def test_port_is_part_of_the_host():
    assert not same_host("http://a.test:80/", "http://a.test:81/")
