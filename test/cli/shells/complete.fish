# Prints what fish offers for each line given: fish complete.fish <script> <line>...
source $argv[1]
for line in $argv[2..-1]
    string join -- ' ' (complete -C $line | string split -f1 \t)
end
