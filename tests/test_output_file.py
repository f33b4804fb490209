import os

import pytest

from tco.errors import InputError
from tco.output_file import check_output, write_whole


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    write_whole(path, "new é\r\n")
    assert path.read_bytes() == "new é\r\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_is_a_folder_keeps_it_and_leaves_nothing_beside_it(tmp_path):
    folder = tmp_path / "a.txt"
    folder.mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write_whole(folder, b"x")
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="its folder does not exist") as caught:
        write_whole(tmp_path / "new" / "a.txt", b"x")
    assert caught.value.remedy.startswith(f"make {tmp_path / 'new'} first")


def test_a_device_or_pipe_is_never_replaced_by_a_file(tmp_path):
    pipe = tmp_path / "a.csv"
    os.mkfifo(pipe)
    for attempt in (lambda: write_whole(pipe, b"x"), lambda: check_output(pipe, ".csv")):
        with pytest.raises(InputError, match="a device or a pipe"):
            attempt()
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["gone/a.csv", "a.pdf", "folder.csv"])
def test_a_place_that_cannot_be_written_is_found_before_any_work(tmp_path, name):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError):
        check_output(tmp_path / name, ".csv")


def test_the_terminal_and_a_free_place_are_fine(tmp_path):
    check_output(None, ".csv")
    check_output(tmp_path / "a.CSV", ".csv")
