local M = {}
--- Makes one.
-- @param x number
function M.new(x)
  local self = setmetatable({}, M)
  self:init(x)
  return helper(x)
end
--[[ Adds
 one ]]
function M.inner.deep:add(item) table.insert(self.items, item) end
local function helper(x) return x end
M.total = function(a, b)
  return a
end
local f = function() end
local x = 1, function() end
M.wrapped = wrap(function() return 1 end, 1)
Cart.size = (function()
  return 1
end)()
Cart["empty"] = function() return true end
local keys = { ["end"] = function() return false end }
return { run = function(self) M.new(1) end, ["odd"] = function() end, helper }
