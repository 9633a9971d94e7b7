using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.Sessions;

namespace PerfTools.Hosting.Options;

/// <summary>The dictionary that a consumer has found; what it lacks is downloaded from the provider.</summary>
internal sealed class FoundDictionary
{
    private readonly DictionaryContents _missing;

    private FoundDictionary(DictionaryFiles files) => (Dictionary, _missing) = (files.LoadFound(), files.Missing);

    /// <summary>Its fields and enum tables, as far as they were found; null for none.</summary>
    public FieldDictionary? Dictionary { get; }

    /// <summary>Loads the dictionary files of a consumer: those of the options, or of the working directory; none where it is to be downloaded.</summary>
    /// <exception cref="SetupException">A named file is missing or cannot be used.</exception>
    public static FoundDictionary Find(SessionOptions options) => new(
        options is { DownloadsDictionary: true, FieldDictionary: null, EnumDictionary: null } ? new(null, null) : Search(options, programFolder: null));

    /// <summary>Loads the dictionary of a provider: that of the options, of the working directory or the program's folder, or the built-in one.</summary>
    /// <exception cref="SetupException">A named file is missing or cannot be used.</exception>
    public static FieldDictionary Load(SessionOptions options) => Search(options, AppContext.BaseDirectory).Load();

    /// <summary>Returns a consumer's options with this dictionary.</summary>
    public ConsumerSessionOptions In(ConsumerSessionOptions options) => options with { Dictionary = Dictionary, MissingOfDictionary = _missing };

    private static DictionaryFiles Search(SessionOptions options, string? programFolder) =>
        DictionaryFiles.Find(options.FieldDictionary, options.EnumDictionary, Environment.CurrentDirectory, programFolder);
}
