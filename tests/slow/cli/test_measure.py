import os
import subprocess
import sys

from commands import fork_python, invoke


def test_python_dash_m_debox_is_the_command():
    result = subprocess.run([sys.executable, "-m", "debox", "strategies"], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == invoke("strategies").output


def test_a_reader_that_has_gone_is_no_traceback():
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([sys.executable, "-m", "debox", "strategies"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (result.returncode, result.stderr) == (1, b"")


def test_output_that_cannot_be_written_ends_with_1_and_a_message_and_nothing_is_told_at_exit():
    with open("/dev/full", "w") as full:
        result = subprocess.run([sys.executable, "-m", "debox", "strategies"], stdout=full, stderr=subprocess.PIPE)
    assert (result.returncode, result.stderr) == (1, b"Error: [Errno 28] No space left on device\n")


def test_control_c_while_measuring_ends_with_130_and_no_output():
    script = """if True:
        import os, signal, threading, debox.cli
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        debox.cli.main()"""
    endless = ["measure", "DE/rand/1/exp sat, N=100, F=0.7, Cr=0.99", "--runs", "100000", "--json"]
    process = fork_python(script, *endless)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == "interrupted"
    assert "Traceback" not in err
