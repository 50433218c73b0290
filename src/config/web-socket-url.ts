/** Derives the WebSocket URL like Solana's clients: one port above the node's, none if the URL has none. */
export function webSocketUrl(url: URL): URL {
  const found = new URL(url);
  found.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port !== '') found.port = String(Number(url.port) + 1);
  // A WebSocket URL has no fragment (RFC 6455 section 3).
  found.hash = '';
  return found;
}
