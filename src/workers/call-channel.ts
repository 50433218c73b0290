import type { Logger } from '../ports/logger.ts';
import { CallServer } from './call-server.ts';
import { CallClient } from './call-client.ts';
import type { CallTable, WireAnswer, WireCall } from './calls.ts';

/** A message of a channel, in either direction. */
export type ChannelMessage =
  | { readonly kind: 'calls'; readonly calls: readonly WireCall[] }
  | { readonly kind: 'answers'; readonly answers: readonly WireAnswer[] };

/** One end of a connection between two processes, each of which may call the other. */
export class CallChannel<Theirs extends CallTable<Theirs>, Ours extends CallTable<Ours>> {
  /** Calls the other end. What it does not answer because it is gone stays open for good. */
  readonly client: CallClient<Theirs>;
  readonly #send: (message: ChannelMessage) => void;
  #server: CallServer<Ours> | undefined;

  /** `send` sends a message; the other end gets them in this order. */
  constructor(send: (message: ChannelMessage) => void) {
    this.#send = send;
    this.client = new CallClient((calls) => send({ kind: 'calls', calls }));
  }

  /** Lets the other end call `ours`, which it must not have tried before. */
  offer(ours: Partial<Ours>, logger: Logger): void {
    this.#server = new CallServer(ours, (answers) => this.#send({ kind: 'answers', answers }), logger);
  }

  /** Takes in what the other end sent. */
  take(message: ChannelMessage): void {
    if (message.kind === 'calls') this.#server?.take(message.calls);
    else this.client.take(message.answers);
  }
}
