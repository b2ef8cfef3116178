import { expect, test } from 'vitest'

// The module reads the key from sessionStorage on import, and Node has none.
Object.assign(globalThis, { sessionStorage: { getItem: () => null } })
const { readEvents } = await import('../../inspector/web/lib/event-stream.js')

test('reads events across chunk boundaries and skips comments', async () => {
  const text =
    'retry: 2000\n\nid: 7\nevent: request\ndata: {"a":\ndata: "ü"}\n\n: here\n\ndata: x\n\n'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 3, 1000]) {
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
    expect(await Array.fromAsync(readEvents(body))).toEqual([
      { id: '7', event: 'request', data: '{"a":\n"ü"}' },
      { id: '', event: 'message', data: 'x' },
    ])
  }
})
