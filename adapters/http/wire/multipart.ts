import type { FormData } from 'undici'

/** One part of a `multipart/form-data` body. */
export type MultipartPart =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly file: MultipartFile }

export interface MultipartFile {
  readonly bytes: Buffer<ArrayBuffer>
  readonly filename: string
  readonly mediaType: string
}

export interface MultipartBody {
  readonly content: Buffer
  /** With the boundary. */
  readonly type: string
}

/**
 * Encodes the parts. undici escapes quotes and line breaks in names and filenames, so that no value adds a header to
 * its part. The body is made again if a value holds its boundary.
 */
export async function encodeMultipart(parts: readonly MultipartPart[]): Promise<MultipartBody> {
  // Few cards send forms.
  const { FormData, Response } = await import('undici')
  for (;;) {
    const response = new Response(fill(new FormData(), parts))
    const type = response.headers.get('content-type') ?? ''
    const content = Buffer.from(await response.arrayBuffer())
    const boundary = type.slice(type.indexOf('boundary=') + 'boundary='.length)
    if (countOf(boundary, content) === parts.length + 1) return { content, type }
  }
}

function fill(form: FormData, parts: readonly MultipartPart[]): FormData {
  for (const part of parts) {
    if ('text' in part) form.append(part.name, part.text)
    else {
      const { bytes, filename, mediaType } = part.file
      form.append(part.name, new File([bytes], filename, { type: mediaType }))
    }
  }
  return form
}

function countOf(text: string, content: Buffer): number {
  let count = 0
  for (let at = content.indexOf(text); at !== -1; at = content.indexOf(text, at + text.length)) {
    count++
  }
  return count
}
