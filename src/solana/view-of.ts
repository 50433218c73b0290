/** Bytes as numbers are read from them and written into them, wherever in their buffer they lie. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
