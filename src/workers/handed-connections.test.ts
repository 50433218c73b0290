import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerForTheDead } from './handed-connections.ts';

class Child extends EventEmitter {
  readonly sent: unknown[] = [];
  readonly heard: unknown[] = [];

  constructor() {
    super();
    this.on('internalMessage', (message) => this.heard.push(message));
  }

  send(message: unknown): boolean {
    this.sent.push(message);
    return true;
  }
}

let child: Child;
let others: number;
let isRemoved: boolean;

const give = (seq: number) => child.send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq });
const answer = (ack: number) => ({ cmd: 'NODE_CLUSTER', ack, accepted: true });

beforeEach(() => {
  child = new Child();
  others = 1;
  isRemoved = false;
  const disconnect = () => void (isRemoved = true);
  answerForTheDead({ process: child, disconnect } as never, () => others > 0);
});

describe('the connections that a worker was given', () => {
  it('are sent as before', () => {
    give(1);
    child.send({ kind: 'call' });
    expect(child.sent).toEqual([{ cmd: 'NODE_CLUSTER', act: 'newconn', seq: 1 }, { kind: 'call' }]);
  });

  it('are refused in its stead when it died before it took them', () => {
    give(1);
    give(2);
    child.emit('internalMessage', answer(1));
    child.emit('close');
    expect(child.heard).toEqual([answer(1), { cmd: 'NODE_CLUSTER', ack: 2, accepted: false }]);
    expect(isRemoved).toBe(true);
  });

  it('are taken in its stead, which closes them, when there is no other worker', () => {
    others = 0;
    give(7);
    child.emit('close');
    expect(child.heard).toEqual([answer(7)]);
  });

  it('are not answered twice', () => {
    give(1);
    child.emit('internalMessage', answer(1));
    child.emit('close');
    child.emit('close');
    expect(child.heard).toEqual([answer(1)]);
  });

  it('are told from what else the cluster and the program send', () => {
    child.send({ cmd: 'NODE_CLUSTER', act: 'listening', seq: 3 });
    child.send({ cmd: 'other', act: 'newconn', seq: 4 });
    child.emit('close');
    expect(child.heard).toEqual([]);
  });
});
