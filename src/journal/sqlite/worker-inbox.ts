import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { createPrivateFile } from '../../lib/private-file.ts'
import type { RequestRows } from '../columns.ts'
import type { Durability } from '../options.ts'
import { writeLine } from './lines.ts'
import { tryToLock, type Unlock } from './lock.ts'

/** The place of the inbox of a worker, from which the names of its files are made. */
export function placeOf(journal: string, name: string): string {
  return `${journal}-inbox.${name}`
}

/** The worker writes one file after the other, so that those that are filed can be deleted. */
export function partOf(place: string, part: number): string {
  return `${place}.${part}`
}

/** Digits of the length of a batch in bytes, before the batch itself. */
export const LENGTH_DIGITS = 12
/** With the newline. */
export const LENGTH_BYTES = LENGTH_DIGITS + 1

const PART_BYTES = 8 * 1024 * 1024

export interface WorkerInboxOptions {
  readonly place: string
  readonly durability: Durability
}

/**
 * The files in which one of several processes stores the requests that it records. The process that has the database files them into
 * the tables (see worker-inboxes.ts). Each batch begins with its length, so that nobody files a batch before all of it is there.
 *
 * The process holds a lock while it lives, so that a gateway that starts after a crash files nothing that a process of the
 * dead gateway still writes.
 */
export class WorkerInbox {
  readonly #options: WorkerInboxOptions
  readonly #unlock: Unlock
  #fd: number | null = null
  #part = 0
  #size = 0

  constructor(options: WorkerInboxOptions) {
    this.#options = options
    const unlock = tryToLock(options.place, 0)
    if (!unlock) throw new Error(`another process uses ${options.place}`)
    this.#unlock = unlock
  }

  /** As durable as a transaction: throws if it cannot write, and then nothing of it counts. */
  receive(received: readonly RequestRows[]): void {
    const bytes = toBatch(received)
    this.#fd ??= this.#open()
    try {
      if (writeSync(this.#fd, bytes) < bytes.length) throw new Error('the disk is full')
      if (this.#options.durability === 'full') fdatasyncSync(this.#fd)
    } catch (error) {
      this.#takeBack(this.#fd)
      throw error
    }
    this.#size += bytes.length
    if (this.#size >= PART_BYTES) this.#leave()
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
    this.#unlock()
  }

  #open(): number {
    const file = partOf(this.#options.place, this.#part)
    createPrivateFile(file)
    if (this.#options.durability === 'full') syncDirectory(dirname(file))
    return openSync(file, 'a')
  }

  /** Nothing may follow a part of a batch, so without the truncation this goes on in another file. */
  #takeBack(fd: number): void {
    try {
      ftruncateSync(fd, this.#size)
    } catch {
      this.#leave()
    }
  }

  #leave(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
    this.#part++
    this.#size = 0
  }
}

function toBatch(received: readonly RequestRows[]): Buffer {
  const room = ' '.repeat(LENGTH_DIGITS)
  const bytes = Buffer.from(`${room}\n${received.map(rows => `${writeLine(rows)}\n`).join('')}`)
  bytes.write(String(bytes.length - LENGTH_BYTES).padStart(LENGTH_DIGITS))
  return bytes
}

/** A power failure must not lose the file whose content is on the disk. */
function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
