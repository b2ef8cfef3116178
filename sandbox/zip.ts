import { crc32 } from 'node:zlib'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** File names are UTF-8. */
const FLAGS = 0x0800
const VERSION = 20

/** A ZIP archive of files, by name. Files are not compressed, and are dated 1980. */
export function zip(files: ReadonlyMap<string, string>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of files) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)]
    const facts = describe(name, data)
    const local = Buffer.concat([uint32(LOCAL), facts, name, data])
    // Comment, disk and attributes, then the offset of the file.
    const position = Buffer.concat([Buffer.alloc(10), uint32(offset)])
    directory.push(Buffer.concat([uint32(CENTRAL), uint16(VERSION), facts, position, name]))
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const count = uint16(files.size)
  const end = [uint32(END), uint32(0), count, count, uint32(list.length), uint32(offset), uint16(0)]
  return Buffer.concat([...parts, list, ...end])
}

/** The header fields that the file entry and the directory entry share. */
function describe(name: Buffer, data: Buffer): Buffer {
  const isStored = uint16(0)
  const [time, date] = [uint16(0), uint16(0x21)]
  const size = uint32(data.length)
  const lengths = [uint16(name.length), uint16(0)]
  const sum = uint32(crc32(data))
  return Buffer.concat([
    uint16(VERSION),
    uint16(FLAGS),
    isStored,
    time,
    date,
    sum,
    size,
    size,
    ...lengths,
  ])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
