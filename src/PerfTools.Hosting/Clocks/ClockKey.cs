using PerfCommon;

namespace PerfTools.Hosting.Clocks;

/// <summary>Loads the key that the two hosts of a probe share: the contents of a file, 32 bytes or more.</summary>
internal static class ClockKey
{
    /// <summary>Minimum length of a key.</summary>
    public const int MinBytes = 32;

    private const int MaxBytes = 4096;

    /// <exception cref="SetupException">The file cannot be read, or is too short or too long.</exception>
    public static byte[] Load(string path)
    {
        try
        {
            byte[] key = LimitedFile.Read(path, MaxBytes).AsSpan().TrimEnd("\r\n"u8).ToArray();
            return key.Length >= MinBytes ? key : throw FileErrors.Input(path, $"key file has {key.Length} bytes, {MinBytes} or more are needed");
        }
        catch (Exception failure) when (FileErrors.IsMeantBy(failure))
        {
            throw FileErrors.Input(path, $"key file cannot be read: {FileErrors.Describe(path, failure)}", failure);
        }
    }
}
