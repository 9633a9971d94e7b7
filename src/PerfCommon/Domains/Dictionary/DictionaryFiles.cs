namespace PerfCommon.Domains;

/// <summary>The pair of dictionary files a program uses; null stands for the one the library carries.</summary>
/// <param name="FieldPath">Path of the field definitions.</param>
/// <param name="EnumPath">Path of the enum tables.</param>
internal sealed record DictionaryFiles(string? FieldPath, string? EnumPath)
{
    /// <summary>Looks for both files: the path given, the working directory, the program's folder, the library.</summary>
    /// <param name="fieldPath">Path given by the user; null or empty for none.</param>
    /// <param name="enumPath">Path given by the user; null or empty for none.</param>
    /// <param name="workingDirectory">Directory the program was started in.</param>
    /// <param name="programFolder">The program's own folder, or null to leave it and the library out: a consumer that finds no
    /// file of the user's asks its provider first, and comes back to this folder only when refused.</param>
    /// <returns>The files; null when one of them is nowhere.</returns>
    /// <exception cref="SetupException">A path was given and there is no file.</exception>
    public static DictionaryFiles? Find(string? fieldPath, string? enumPath, string workingDirectory, string? programFolder)
    {
        string? fields = FindOne(fieldPath, ShippedFiles.FieldDefinitions, workingDirectory, programFolder);
        string? enums = FindOne(enumPath, ShippedFiles.EnumTables, workingDirectory, programFolder);
        return programFolder is null && (fields is null || enums is null) ? null : new DictionaryFiles(fields, enums);
    }

    /// <summary>Reads both files.</summary>
    /// <exception cref="SetupException">One cannot be read, does not follow its format, or contradicts the other.</exception>
    public FieldDictionary Load()
    {
        FieldDictionaryBuilder builder = new();
        new FieldDictionaryFile(builder).Read(FieldPath);
        new EnumTypeFile(builder).Read(EnumPath);
        return builder.Build();
    }

    private static string? FindOne(string? given, string name, string workingDirectory, string? programFolder)
    {
        if (!string.IsNullOrEmpty(given))
        {
            string path = Path.Combine(workingDirectory, given);
            return File.Exists(path) ? path : throw new SetupException(SetupProblem.InputFile, $"{given}: no such dictionary file");
        }

        string beside = Path.Combine(workingDirectory, name);
        if (File.Exists(beside))
            return beside;
        string? own = programFolder is null ? null : Path.Combine(programFolder, name);
        return File.Exists(own) ? own : null;
    }
}
