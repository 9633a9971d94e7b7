namespace PerfCommon.Domains;

/// <summary>The pair of dictionary files that a program uses; null for a file that was not found.</summary>
/// <param name="FieldPath">Path of the field definitions.</param>
/// <param name="EnumPath">Path of the enum tables.</param>
internal sealed record DictionaryFiles(string? FieldPath, string? EnumPath)
{
    /// <summary>The parts of a dictionary that the two files do not provide.</summary>
    public DictionaryContents Missing =>
        (FieldPath is null ? DictionaryContents.Fields : DictionaryContents.None)
        | (EnumPath is null ? DictionaryContents.Enums : DictionaryContents.None);

    /// <summary>Searches for both files: the given path, the working directory, the program's folder.</summary>
    /// <param name="fieldPath">Path given by the user; null or empty for none.</param>
    /// <param name="enumPath">Path given by the user; null or empty for none.</param>
    /// <param name="workingDirectory">Directory the program was started in.</param>
    /// <param name="programFolder">The program's own folder, or null to omit it: a consumer without a dictionary file from the user requests the
    /// dictionary from its provider.</param>
    /// <exception cref="SetupException">A path was given and the file does not exist.</exception>
    public static DictionaryFiles Find(string? fieldPath, string? enumPath, string workingDirectory, string? programFolder) => new(
        FindOne(fieldPath, ShippedFiles.FieldDefinitions, workingDirectory, programFolder),
        FindOne(enumPath, ShippedFiles.EnumTables, workingDirectory, programFolder));

    /// <summary>Reads both files; the library's own file replaces one that was not found.</summary>
    /// <exception cref="SetupException">One cannot be read, does not follow its format, or contradicts the other.</exception>
    public FieldDictionary Load() => Load(DictionaryContents.Both);

    /// <summary>Reads only the files that were found; null when none was found.</summary>
    /// <inheritdoc cref="Load()"/>
    public FieldDictionary? LoadFound() => Missing == DictionaryContents.Both ? null : Load(DictionaryContents.Both & ~Missing);

    private FieldDictionary Load(DictionaryContents wanted)
    {
        FieldDictionaryBuilder builder = new();
        if (wanted.HasFlag(DictionaryContents.Fields))
            new FieldDictionaryFile(builder).Read(FieldPath);
        if (wanted.HasFlag(DictionaryContents.Enums))
            new EnumTypeFile(builder).Read(EnumPath);
        return builder.Build();
    }

    private static string? FindOne(string? given, string name, string workingDirectory, string? programFolder)
    {
        if (!string.IsNullOrEmpty(given))
        {
            string path = Path.Combine(workingDirectory, given);
            if (File.Exists(path))
                return path;
            throw FileErrors.Input(given, Directory.Exists(path) ? "it is a folder, not a dictionary file" : "no such dictionary file");
        }

        string beside = Path.Combine(workingDirectory, name);
        if (File.Exists(beside))
            return beside;
        string? own = programFolder is null ? null : Path.Combine(programFolder, name);
        return File.Exists(own) ? own : null;
    }
}

/// <summary>The two halves of a dictionary.</summary>
[Flags]
internal enum DictionaryContents : byte
{
    None = 0,

    /// <summary>The field definitions.</summary>
    Fields = 1,

    /// <summary>The enum tables.</summary>
    Enums = 2,

    Both = Fields | Enums,
}
