namespace PerfCommon.Domains;

/// <summary>Where a dictionary file was found.</summary>
internal enum DictionaryFilePlace
{
    /// <summary>At the path the user gave.</summary>
    Given,

    /// <summary>In the directory the program was started in.</summary>
    WorkingDirectory,

    /// <summary>Beside the program: the one we ship.</summary>
    ProgramFolder,

    /// <summary>Nowhere: the one the library carries.</summary>
    Library,
}
