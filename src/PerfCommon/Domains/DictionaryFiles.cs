namespace PerfCommon.Domains;

/// <summary>The pair of dictionary files a program uses, and where each was found.</summary>
/// <param name="FieldPath">Path of the field definitions.</param>
/// <param name="FieldPlace">Where that file was found.</param>
/// <param name="EnumPath">Path of the enum tables.</param>
/// <param name="EnumPlace">Where that file was found.</param>
internal sealed record DictionaryFiles(
    string FieldPath, DictionaryFilePlace FieldPlace, string EnumPath, DictionaryFilePlace EnumPlace)
{
    /// <summary>Name of the field definitions' file when no path is given.</summary>
    public const string FieldFileName = ShippedFiles.FieldDefinitions;

    /// <summary>Name of the enum tables' file when no path is given.</summary>
    public const string EnumFileName = ShippedFiles.EnumTables;

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
        (string? fields, DictionaryFilePlace fieldPlace) = FindOne(fieldPath, FieldFileName, workingDirectory, programFolder);
        (string? enums, DictionaryFilePlace enumPlace) = FindOne(enumPath, EnumFileName, workingDirectory, programFolder);
        return fields is null || enums is null ? null : new DictionaryFiles(fields, fieldPlace, enums, enumPlace);
    }

    /// <summary>Reads both files.</summary>
    /// <exception cref="SetupException">One cannot be read, does not follow its format, or contradicts the other.</exception>
    public FieldDictionary Load()
    {
        FieldDictionaryBuilder builder = new();
        if (FieldPlace == DictionaryFilePlace.Library)
            FieldDictionaryFile.ReadShipped(builder);
        else
            FieldDictionaryFile.Read(FieldPath, builder);
        if (EnumPlace == DictionaryFilePlace.Library)
            EnumTypeFile.ReadShipped(builder);
        else
            EnumTypeFile.Read(EnumPath, builder);
        return builder.Build();
    }

    private static (string? Path, DictionaryFilePlace Place) FindOne(
        string? given, string name, string workingDirectory, string? programFolder)
    {
        if (!string.IsNullOrEmpty(given))
        {
            string path = Path.Combine(workingDirectory, given);
            return File.Exists(path)
                ? (path, DictionaryFilePlace.Given)
                : throw new SetupException(SetupProblem.InputFile, $"{given}: no such dictionary file");
        }

        string beside = Path.Combine(workingDirectory, name);
        if (File.Exists(beside))
            return (beside, DictionaryFilePlace.WorkingDirectory);
        if (programFolder is null)
            return (null, DictionaryFilePlace.ProgramFolder);
        string own = Path.Combine(programFolder, name);
        return File.Exists(own) ? (own, DictionaryFilePlace.ProgramFolder) : (name, DictionaryFilePlace.Library);
    }
}
