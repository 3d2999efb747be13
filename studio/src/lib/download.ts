import { useMutation } from "@tanstack/react-query";

/** Lets the browser keep a text as a file. */
function saveAs(fileName: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A file of the gateway that the browser keeps. The caller gets the error. */
export function useDownload(
  fetch: () => Promise<{ fileName: string; text: string; mimeType?: string | null }>,
) {
  return useMutation({
    mutationFn: async () => {
      const file = await fetch();
      saveAs(file.fileName, file.text, file.mimeType ?? "application/json");
    },
  });
}
