import { expect, it } from 'vitest';
import { webSocketUrl } from './web-socket-url.ts';

it.each([
  ['http://127.0.0.1:8899', 'ws://127.0.0.1:8900/'],
  ['https://rpc.example/?api-key=k', 'wss://rpc.example/?api-key=k'],
  ['https://rpc.example:443/v1#part', 'wss://rpc.example/v1'],
  ['https://u:p@rpc.example:8443/v1/', 'wss://u:p@rpc.example:8444/v1/'],
])('derives the WebSocket of %s like Solana’s clients', (http, expected) => {
  expect(webSocketUrl(new URL(http)).href).toBe(expected);
});
