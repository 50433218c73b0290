import { replyFrame, type Refusal, type RefusalCode } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { writeError, type MessageId } from './json-rpc.ts';
import { RPC_ERROR, type RpcErrorCode } from './protocol.ts';

/** Refusals with codes and messages prescribed by the contract (section 7) or JSON-RPC 2.0. */
const SPECIFIED: Readonly<Partial<Record<RefusalCode, readonly [RpcErrorCode, string]>>> = {
  BODY_NOT_JSON: [RPC_ERROR.parseError, 'Parse error'],
  INTERNAL_ERROR: [RPC_ERROR.internalError, 'Internal server error'],
};

/** Valid JSON that is not a request. The reason is appended to the message of JSON-RPC. */
const INVALID_REQUESTS: ReadonlySet<RefusalCode> = new Set(['BODY_TOO_DEEP', 'MEMBER_REPEATED']);

/** Writes a refusal as a JSON-RPC error response without a request id. */
export const writeRpcRefusal = (refusal: Refusal): Reply => refuseRequest(refusal, null);

/** Writes a refusal as the JSON-RPC error response to request `id`. */
export function refuseRequest(refusal: Refusal, id: MessageId): Reply {
  const { code, title, detail } = refusal;
  const [rpcCode, message] = SPECIFIED[code] ?? worded(code, title, detail);
  return {
    ...replyFrame(refusal),
    body: writeError(id, rpcCode, message),
    contentType: 'application/json',
  };
}

function worded(code: RefusalCode, title: string, detail: string): readonly [RpcErrorCode, string] {
  if (INVALID_REQUESTS.has(code)) return [RPC_ERROR.invalidRequest, `Invalid Request: ${detail}`];
  return [RPC_ERROR.serverError, `${title}: ${detail}`];
}
