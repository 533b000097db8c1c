from debox.cli import main

main()
