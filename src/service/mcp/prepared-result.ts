import type { Reply } from '../reply.ts';
import { writeId, type MessageId } from './json-rpc.ts';

/** A long result that never changes: written once, and sent to everybody as the same bytes. */
export class PreparedResult {
  /** The end of a success response: the JSON text of the result and the brace that closes the response. */
  readonly #rest: Buffer;

  constructor(result: object) {
    this.#rest = Buffer.from(`${JSON.stringify(result)}}`);
  }

  /** The success response that carries it. */
  answer(id: MessageId): Reply {
    return {
      status: 200,
      body: `{"jsonrpc":"2.0","id":${writeId(id)},"result":`,
      rest: this.#rest,
      contentType: 'application/json',
    };
  }
}
