"""What lies in a folder."""


def file_names(folder):
    """The paths of all files below a folder, relative to it, sorted."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
