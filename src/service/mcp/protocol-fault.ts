import type { RpcErrorCode } from './protocol.ts';

/** Details of a fault besides its code and message. */
interface ProtocolFaultOptions {
  /** HTTP status of the answer; default 200, as for every answered JSON-RPC request. */
  readonly status?: number;
  /** JSON-RPC `error.data`. */
  readonly data?: object;
  /** Whether the answer omits the request's id, because the request was not read. */
  readonly isAnonymous?: boolean;
}

/** A request that breaks the protocol. It is answered with a JSON-RPC error, unlike the failure of a tool. */
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
