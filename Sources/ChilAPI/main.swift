print("chilapi")
