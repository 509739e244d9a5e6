/** What carries the messages: here a WebSocket; a site without a server has another `carrier.js`. */
export function carrier(address) {
  return new WebSocket(address);
}
