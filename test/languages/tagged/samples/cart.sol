// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import "./Store.sol";

/// @title A cart.
contract Cart is Store, Base {
    uint256 public total;
    event Added(uint256 item);
    error Bad(uint256 x);
    struct Item { uint256 price; }
    enum Kind { A, B }

    /**
     * Makes one.
     */
    constructor(address owner) Base(owner) { total = 0; }
    modifier onlyOwner() { require(msg.sender == owner()); _; }
    /// Adds one.
    function add(uint256 item) external onlyOwner returns (bool) {
        Item memory copy = Item(item);
        store.insert(copy.price);
        emit Added(item);
        revert Bad(1);
        return helper(item);
    }
    receive() external payable {}
    fallback() external {}
}
interface Store { function insert(uint256 x) external; }
library Maths { function twice(uint256 x) internal pure returns (uint256) { return x * 2; } }
abstract contract Base {}
function free(uint256 x) pure returns (uint256) { return x; }
