namespace Floods;

/// <content>Attacks on the files of shared memory.</content>
internal sealed partial class LatencyAttacks
{
    private void PlantLinks()
    {
        string target = Path.GetTempFileName();
        File.WriteAllText(target, "kept");
        while (!IsOver)
        {
            foreach (string path in new[] { MemoryPath, $"{MemoryPath}-3", $"{MemoryPath}-3.bell" })
            {
                try
                {
                    File.CreateSymbolicLink(path, target);
                    _done++;
                }
                catch (IOException)
                {
                    // it exists
                }
            }

            Thread.Sleep(PauseMillis);
            File.Delete($"{MemoryPath}-3");
            File.Delete($"{MemoryPath}-3.bell");
        }

        Console.WriteLine($"the target of the links is {File.ReadAllText(target)}");
        File.Delete(target);
    }

    // The publisher deletes the file when its test begins; its memory is found among the process's open files.
    private string FindMemory()
    {
        foreach (string process in Directory.EnumerateDirectories("/proc").Where(path => int.TryParse(Path.GetFileName(path), out int id)
            && id != Environment.ProcessId))
        {
            try
            {
                foreach (string opened in Directory.EnumerateFiles(Path.Combine(process, "fd")))
                {
                    if (new FileInfo(opened).LinkTarget?.StartsWith($"/memfd:{Path.GetFileName(MemoryPath)}", StringComparison.Ordinal) == true)
                        return opened;
                }
            }
            catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
            {
                // gone, or of another user
            }
        }

        return MemoryPath;
    }

    private void TryChange(string path, Action<FileStream> change)
    {
        try
        {
            using FileStream file = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
            change(file);
            _done++;
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            // not there, or refused
        }
    }
}
