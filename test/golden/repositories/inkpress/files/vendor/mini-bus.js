/* mini-bus 1.0.2, MIT */
function Bus() {
  this.topics = {};
}

Bus.prototype.publish = function (topic, page) {
  (this.topics[topic] || []).forEach((listener) => listener(page));
};

module.exports = Bus;
