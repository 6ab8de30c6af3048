-- Plots a log.
print(io.read("*a"))
