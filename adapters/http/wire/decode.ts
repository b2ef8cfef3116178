import { promisify } from 'node:util'
import zlib from 'node:zlib'

type Decoder = (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate)
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw)
const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip)

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (data, options) =>
    hasZlibHeader(data) ? inflate(data, options) : inflateRaw(data, options),
  br: promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  zstd: promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress),
  identity: data => Promise.resolve(data),
}

/** The body has a content encoding that this client cannot decode. */
export class UnknownEncodingError extends Error {
  override readonly name = 'UnknownEncodingError'
  readonly code = 'UNKNOWN_CONTENT_ENCODING'
}

/**
 * Undoes `Content-Encoding`. The gateway asks for none by default, but some servers and proxies encode
 * anyway. A body that unpacks to more than `limit` bytes fails with ERR_BUFFER_TOO_LARGE.
 */
export async function decodeBody(body: Buffer, encoding: string, limit: number): Promise<Buffer> {
  let decoded = body
  // The header lists encodings in the order in which they were applied.
  for (const name of encoding.toLowerCase().split(',').toReversed()) {
    const decoder = DECODERS[name.trim()]
    if (!decoder) throw new UnknownEncodingError('unknown content encoding')
    if (decoded.length > 0) decoded = await decoder(decoded, { maxOutputLength: limit })
  }
  return decoded
}

/** "deflate" means the zlib format, but some servers send raw deflate data without the zlib header. */
function hasZlibHeader(data: Buffer): boolean {
  return data.length > 1 && data.readUInt16BE(0) % 31 === 0 && ((data[0] ?? 0) & 0x0f) === 8
}
