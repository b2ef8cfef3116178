const AROUND = 100

/** For each word, the first match in the text, with the text around it. */
export function textMatches(text: string, words: readonly string[], url: string) {
  return words.flatMap(word => {
    const at = text.toLowerCase().indexOf(word.toLowerCase())
    if (word === '' || at === -1) return []
    const start = Math.max(0, at - AROUND)
    const fragment = text.slice(start, at + word.length + AROUND)
    const found = fragment.slice(at - start, at - start + word.length)
    return [
      {
        object_url: url,
        object_type: 'FileContent',
        property: 'content',
        fragment,
        matches: [{ text: found, indices: [at - start, at - start + word.length] }],
      },
    ]
  })
}
