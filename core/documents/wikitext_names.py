"""Names that wikitext gives a meaning: tags by what they hold, and namespaces of files and categories."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What these enclose is not prose.
NOT_PROSE = _words(
    """
    ref references nowiki pre code kbd samp tt syntaxhighlight source math chem ce gallery score timeline hiero
    imagemap templatedata templatestyles graph mapframe maplink categorytree inputbox style script noscript svg
    """
)

# Of those, the ones that end a paragraph.
STANDS_ALONE = _words("gallery references pre syntaxhighlight source timeline")

# What these enclose is prose, in a block of its own.
BLOCK_TAGS = _words(
    "p div blockquote center poem ul ol li dl dt dd h1 h2 h3 h4 h5 h6 hr section table tr td th caption"
)

# What these enclose is prose within a sentence.
INLINE_TAGS = _words(
    """
    b i u s em strong small big sub sup span del ins strike abbr cite dfn q var mark font bdi bdo data time wbr br
    ruby rb rt rp rtc noinclude includeonly onlyinclude indicator tvar translate languages img a
    """
)

# What these enclose is a quotation.
QUOTING_TAGS = _words("blockquote q")

# Namespaces whose links show no label in the text: files and categories, in larger Wikipedias. Spaces are underscores.
MEDIA = _words(
    """
    file image media category datei bild kategorie fichier catégorie archivo imagen categoría ficheiro imagem
    categoria immagine bestand afbeelding plik grafika kategoria файл изображение категория зображення категорія
    fil kategori tiedosto kuva luokka soubor fájl kép kategória ファイル 画像 カテゴリ 文件 图像 分类 檔案 圖像 分類
    파일 그림 분류 ملف صورة تصنيف קובץ תמונה קטגוריה αρχείο εικόνα κατηγορία dosya resim kategorija slika tập_tin
    hình thể_loại
    """
)
