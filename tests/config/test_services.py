"""PostgreSQL and Redis are really used where they are configured."""

import threading

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache, caches
from django.db import connection, transaction

pytestmark = pytest.mark.services


@pytest.mark.django_db
def test_the_database_is_postgresql() -> None:
    assert connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int")
        assert cursor.fetchone()[0] >= 130000


def test_the_cache_is_redis_and_shared() -> None:
    assert type(caches["default"]).__name__ == "SurvivingRedisCache"
    cache.set("chicago-test", {"seat": 3}, timeout=30)
    seen: list[object] = []
    other = threading.Thread(target=lambda: seen.append(cache.get("chicago-test")))
    other.start()
    other.join()
    cache.delete("chicago-test")
    assert seen == [{"seat": 3}]


@pytest.mark.django_db(transaction=True)
def test_a_locked_row_makes_the_second_writer_wait() -> None:
    user = User.objects.create_user("anna")
    order: list[str] = []
    begun = threading.Event()

    def second() -> None:
        try:
            with transaction.atomic():
                begun.set()
                User.objects.select_for_update().get(pk=user.pk)
                order.append("second")
        finally:
            connection.close()

    other = threading.Thread(target=second)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        other.start()
        assert begun.wait(10)
        other.join(timeout=0.3)
        order.append("first")
    other.join(10)
    assert order == ["first", "second"]
