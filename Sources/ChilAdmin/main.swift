print("chiladmin")
