from courier.cookies import parse_set_cookie


def test_domain_and_path():
    cookie = parse_set_cookie("id=7; Domain=.a.test; Path=/shop", "www.a.test")
    assert cookie.matches("http://www.a.test/shop/cart")
    assert not cookie.matches("http://www.a.test/")
