import type { ReportedCall } from '../calls/call-log.ts';

/** Creates a REST call that anyone may see, with `changes` applied. */
export const reportedCall = (changes: Partial<ReportedCall> = {}): ReportedCall => ({
  atMs: 0,
  door: 'rest',
  call: 'spl.deposit',
  status: 200,
  code: null,
  ms: 1,
  requestBytes: 1,
  responseBytes: 1,
  requestId: null,
  isOwn: false,
  hasToken: false,
  arguments: undefined,
  ...changes,
});
