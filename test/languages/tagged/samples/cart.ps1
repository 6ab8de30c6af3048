# A cart.
<#
.SYNOPSIS
Adds one.
#>
function Add-Item {
    param([string]$Name, [int]$Count = 1)
    Get-Helper -Name $Name | Write-Output
    $x = Compute $Name
    $store.Insert($x)
}
function script:Total($a) { Add-Item $a }
filter Even { if ($_ % 2 -eq 0) { $_ } }
class Cart : Base {
    [int]$Total
    Cart([int]$x) { $this.Total = $x }
    [void] Add([int]$x) { Helper $x }
    static [Cart] Make() { return [Cart]::new(1) }
}
enum Kind { A; B }
Add-Item "x"
