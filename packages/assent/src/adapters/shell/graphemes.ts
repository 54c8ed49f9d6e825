let segmenter: Intl.Segmenter | null = null;

/** What a person takes for one character each; made on first need, for it is slow to make and most text is ASCII. */
export function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** As below, with the letters of Europe and the signs that the shell itself draws: these must not cost a start the segmenter. */
export function isNarrow(text: string): boolean {
  return /^[\x20-\x7e\xa1-\xac\xae-\u02ff·…❯●▸│┊─┼•]*$/.test(text);
}

/** Every character is one column in any terminal, and one to a person. */
export function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
