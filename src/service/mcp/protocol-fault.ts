import type { RpcErrorCode } from './protocol.ts';

/** How a fault is told, besides its code and message. */
interface ProtocolFaultOptions {
  /** HTTP status of the answer; 200 by default, as for every answered JSON-RPC request. */
  readonly status?: number;
  /** JSON-RPC `error.data`. */
  readonly data?: object;
  /** Whether the answer leaves the request's id out because the request was not looked at. */
  readonly isAnonymous?: boolean;
}

/**
 * A request that breaks the protocol, as opposed to a tool that fails: it is answered by a JSON-RPC error.
 */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly code: RpcErrorCode;
  readonly status: number;
  readonly data: object | undefined;
  readonly isAnonymous: boolean;

  constructor(code: RpcErrorCode, message: string, options: ProtocolFaultOptions = {}) {
    super(message);
    this.code = code;
    this.status = options.status ?? 200;
    this.data = options.data;
    this.isAnonymous = options.isAnonymous ?? false;
  }
}
